"""Computations of any kind in one request."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence, Union

from .calls import Call
from .errors import QuantdError, failure
from .failures import BY_CODE
from .labels import aligned
from .sender import Sender, encoded

#: Calls of one request; the service takes up to 5,000.
CALLS = 1_000


def send_batch(sender: Sender, calls: Sequence[Call]) -> List[Union[Dict[str, Any], QuantdError]]:
    results: List[Union[Dict[str, Any], QuantdError]] = []
    for start in range(0, len(calls), CALLS):
        body = {
            "calls": [{"path": one["path"], "body": _plain(one["body"])} for one in calls[start : start + CALLS]]
        }
        for one in sender._exactly_once("/quantlib/batch", encoded(body))["results"]:
            results.append(one["data"] if one["success"] else failure(422, {}, one, BY_CODE))
    return results


def _plain(body: Mapping[str, Any]) -> Dict[str, Any]:
    """Arrays and numbers of numpy and pandas as Python's own; Series are paired by their labels."""
    return {name: value.tolist() if hasattr(value, "tolist") else value for name, value in aligned(body).items()}
