"""Credits and rate-limit windows of a key after a reply, read from the reply's headers."""
from __future__ import annotations

import re
from typing import List, Mapping, NamedTuple, Optional, Sequence


class Window(NamedTuple):
    name: str
    remaining: int
    #: Seconds until the window ends.
    reset_seconds: int


class Standing(NamedTuple):
    #: None: the reply does not tell.
    credits_remaining: Optional[float]
    #: Charged for the last computation; 0 if it was a repetition of a paid one.
    credits_cost: Optional[float]
    #: Whether the result of an earlier request was returned again without a charge.
    replayed: bool
    windows: Sequence[Window]


def standing(headers: Mapping[str, str]) -> Standing:
    return Standing(
        _amount(headers.get("x-credits-remaining")),
        _amount(headers.get("x-credits-cost")),
        headers.get("idempotent-replayed") == "true",
        _windows(headers.get("ratelimit", "")),
    )


def _windows(text: str) -> List[Window]:
    found = re.findall(r'"([^"]+)";r=(\d+);t=(\d+)', text)
    return [Window(name, int(remaining), int(reset)) for name, remaining, reset in found]


def _amount(value: Optional[str]) -> Optional[float]:
    return None if value is None else float(value)
