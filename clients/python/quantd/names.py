"""Other names of arguments: the letters of formulas for words, and words for letters."""
from __future__ import annotations

import functools
from typing import Any, Callable


def also_named(**names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A method that also takes arguments under other names. `names` has the argument of each other name."""

    def decorated(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def named(self: Any, *values: Any, **given: Any) -> Any:
            for other in names.keys() & given.keys():
                name = names[other]
                if name in given:
                    raise TypeError(f"{method.__name__}() got the argument {name!r} twice, also as {other!r}")
                given[name] = given.pop(other)
            return method(self, *values, **given)

        named.other_names = names  # type: ignore[attr-defined]
        return named

    return decorated
