"""Warns at the line of the caller."""
from __future__ import annotations

import sys
import warnings
from contextvars import ContextVar
from types import FrameType
from typing import NamedTuple, Optional


class Line(NamedTuple):
    """A line of a program, and the frame of its module, which counts the warnings there."""

    frame: FrameType
    number: int


#: The line of the caller of a coroutine, whose work a thread does; None: the thread is that of the caller.
CALLER: ContextVar[Optional[Line]] = ContextVar("caller", default=None)


def caller() -> Line:
    """The innermost line outside of this package."""
    package = __name__.split(".")[0]
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == package:
        frame = frame.f_back
    return Line(frame, frame.f_lineno)


def warn(warning: Warning) -> None:
    """Warns at the innermost line outside of this package."""
    frame, number = CALLER.get() or caller()
    names = frame.f_globals
    registry = names.setdefault("__warningregistry__", {})
    place = frame.f_code.co_filename, number, names.get("__name__")
    # Without the names of the module: its loader may have no source, as that of a program from standard input.
    warnings.warn_explicit(warning, type(warning), *place, registry)
