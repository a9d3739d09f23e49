"""Warns at the line of the caller."""
from __future__ import annotations

import sys
import warnings


def warn(warning: Warning) -> None:
    """Warns at the innermost line outside of this package."""
    package = __name__.split(".")[0]
    frame = sys._getframe(1)
    level = 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == package:
        frame = frame.f_back
        level += 1
    warnings.warn(warning, stacklevel=level)
