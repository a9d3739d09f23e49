"""`frame.quantd(client)`: the computations over the rows of a data frame. Importing this module imports pandas."""
from __future__ import annotations

import inspect
from typing import Any, Callable

import pandas  # type: ignore

from .client import Client


@pandas.api.extensions.register_dataframe_accessor("quantd")
class Accessor:
    """The columns that have names of arguments are passed; others of the frame are left out, and arguments given win."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __call__(self, client: Client) -> Calls:
        return Calls(self._frame, client)


class Calls:
    """The methods of a client, with the columns of a data frame among their arguments."""

    def __init__(self, frame: Any, client: Client) -> None:
        self._frame = frame
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)
        known = inspect.signature(method).parameters
        others = getattr(method, "other_names", {})

        def call(**given: Any) -> Any:
            taken = {*given, *(others[one] for one in given if one in others)}
            columns = {one: self._frame[one] for one in self._frame.columns if one in known and one not in taken}
            named = {*columns, *given}
            for other, name in others.items():
                if other in self._frame.columns and not named & {other, name}:
                    columns[other] = self._frame[other]
            return method(**columns, **given)

        return call
