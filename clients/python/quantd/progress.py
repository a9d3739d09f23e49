"""Progress of a call over many rows: a bar of tqdm if it is installed, otherwise a plain line on standard error."""
from __future__ import annotations

import importlib
import sys
from typing import Any, Optional


class Progress:
    """Counts rows; prints only if `shown`."""

    def __init__(self, name: str, total: int, shown: bool) -> None:
        self._name, self._total, self._done = name, total, 0
        self._shown = shown
        self._bar = _tqdm(name, total) if shown else None

    def add(self, rows: int) -> None:
        self._done += rows
        if self._bar is not None:
            self._bar.update(rows)
        elif self._shown:
            self._print("\r")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._shown:
            self._print("\r", "\n")

    def _print(self, before: str, after: str = "") -> None:
        share = 100 * self._done // max(1, self._total)
        line = f"{self._name}: {self._done:,} of {self._total:,} rows ({share} %)"
        print(f"{before}{line}{after}", end="", file=sys.stderr, flush=True)


def is_shown(wanted: Optional[bool]) -> bool:
    """Whether to show progress; by default, only if standard error is a terminal."""
    return sys.stderr.isatty() if wanted is None else wanted


def _tqdm(name: str, total: int) -> Any:
    try:
        tqdm = importlib.import_module("tqdm.auto")
    except ImportError:
        return None
    return tqdm.tqdm(total=total, desc=name, unit=" rows", unit_scale=True, file=sys.stderr)
