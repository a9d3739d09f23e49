"""Repeats requests after failures that may be temporary."""
from __future__ import annotations

import random
import time
from typing import Callable, TypeVar

from .errors import NetworkError, QuantdError, ReplyTimeoutError

FIRST_WAIT = 0.2
PASSING = (429, 502, 503, 504)

Result = TypeVar("Result")


def repeated(attempt: Callable[[], Result], retries: int, max_wait: float) -> Result:
    """Tries until a success, a permanent failure, or the last retry.

    Waits as long as Retry-After says, otherwise with exponential backoff. A longer wait than `max_wait` seconds is not begun: the
    failure is raised at once.
    """
    for tried in range(retries):
        try:
            return attempt()
        except QuantdError as error:
            wait = _wait(error, tried, max_wait)
            if not _may_pass(error) or wait > max_wait:
                raise
        time.sleep(wait)
    return attempt()


def _may_pass(error: QuantdError) -> bool:
    return isinstance(error, (NetworkError, ReplyTimeoutError)) or error.status in PASSING


def _wait(error: QuantdError, tried: int, max_wait: float) -> float:
    if error.retry_after is not None:
        return error.retry_after
    # With jitter, so that clients that failed at the same time do not retry at the same time.
    return min(max_wait, FIRST_WAIT * 2.0**tried) * random.uniform(0.5, 1)
