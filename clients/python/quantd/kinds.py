"""The kinds of arrays that callers pass; those of numpy, pandas and pyarrow are recognised without importing these packages."""
from __future__ import annotations

import math
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

Values = List[Any]
Options = Dict[str, Any]


class Kind(NamedTuple):
    """Makes results of the kind of the input."""

    #: One column, of its name and values.
    column: Callable[[str, Values], Any]
    #: Several columns in one table; None: the kind has no tables.
    table: Optional[Callable[[Sequence[str], Sequence[Values]], Any]] = None
    #: Names of the rows; None: their positions.
    labels: Optional[Sequence[Any]] = None
    #: Whether numbers of rows are a list too, and not an array of numpy.
    is_list: bool = False


def package(name: str) -> Any:
    """The package if the program has imported it, as it must have to pass one of its arrays."""
    return sys.modules.get(name)


def _is_a(value: object, package_name: str, *types: str) -> bool:
    found = package(package_name)
    return found is not None and isinstance(value, tuple(getattr(found, one) for one in types))


def is_series(value: object) -> bool:
    return _is_a(value, "pandas", "Series")


def is_frame(value: object) -> bool:
    return _is_a(value, "pandas", "DataFrame")


def is_array(value: object) -> bool:
    return _is_a(value, "numpy", "ndarray")


def is_arrow(value: object) -> bool:
    return _is_a(value, "pyarrow", "Array", "ChunkedArray", "Table")


def as_frame(value: Any) -> Any:
    """A table of another library, as of pyarrow or polars, as a data frame; other values as they are."""
    is_table = hasattr(value, "to_pandas") and hasattr(value, "columns")
    return value.to_pandas() if is_table else value


def of_lists() -> Kind:
    return Kind(lambda name, values: values, is_list=True)


def of_series(index: Any) -> Kind:
    pandas = package("pandas")
    return Kind(
        lambda name, values: pandas.Series(values, index=index, name=name, dtype=_dtype(values)),
        lambda names, columns: pandas.DataFrame(dict(zip(names, columns)), index=index),
        index,
    )


def of_arrays(shape: Tuple[int, ...]) -> Kind:
    numpy = package("numpy")
    # Results without a single row are numbers all the same.
    return Kind(lambda name, values: numpy.array(values, dtype=None if values else float).reshape(shape))


def of_arrow() -> Kind:
    pyarrow = package("pyarrow")
    return Kind(lambda name, values: pyarrow.array(values), is_list=True)


def _dtype(values: Values) -> Optional[str]:
    """Booleans and integers beside missing rows need the types of pandas that know these."""
    types = set(map(type, values))
    if not types:
        return "float64"
    if len(types) > 1 and bool in types:
        return "boolean"
    if len(types) > 1 and int in types and all(type(one) is int or one != one for one in values):
        return "Int64"
    return None


def plain_list(values: Values, name: str) -> Values:
    """Items as JSON knows them: strings, integers and floats; NaN where one is missing. Booleans are 0 and 1."""
    return values if set(map(type, values)) in _PLAIN else [_item(value, name) for value in values]


_PLAIN = ({float}, {int}, {str}, {float, int})


def plain(value: Any, name: str) -> Any:
    """A scalar argument. A boolean is no number: where one is given, a field was probably mistaken for another."""
    if isinstance(value, bool) or _is_a(value, "numpy", "bool_"):
        raise TypeError(f"{name} is {value}; it takes numbers or strings")
    return _item(value, name)


def plain_finite(value: Any, name: str) -> Any:
    """A scalar argument that JSON can carry."""
    item = plain(value, name)
    if isinstance(item, float) and item - item != 0:
        raise ValueError(f"{name} must be a finite number")
    return item


def plain_or_flag(value: Any, name: str) -> Any:
    """A scalar argument that may be a boolean."""
    return bool(value) if isinstance(value, bool) or _is_a(value, "numpy", "bool_") else plain_finite(value, name)


def _item(value: Any, name: str) -> Any:
    if is_missing(value):
        return math.nan
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    try:
        # Numbers of numpy as those of Python; an integer stays one, and a longdouble would stay one.
        item = value.item() if _is_a(value, "numpy", "generic") else value
        item = item if isinstance(item, int) else float(item)
        return int(item) if isinstance(item, bool) else item + 0
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError):
        raise TypeError(f"{name} has a {type(value).__name__}; it takes numbers or strings") from None


def is_finite(values: Values) -> bool:
    """Whether all items are numbers that a float can hold; false negatives where their sum overflows or an item is a string."""
    try:
        total = float(sum(values))
    except (OverflowError, TypeError):
        return False
    return total - total == 0


def is_missing(value: object) -> bool:
    """None, NaN, and the NA and NaT of pandas."""
    pandas = package("pandas")
    if value is None or (pandas is not None and (value is pandas.NA or value is pandas.NaT)):
        return True
    return isinstance(value, float) and value != value
