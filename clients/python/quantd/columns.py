"""Arguments of a call over rows, read as columns of plain values."""
from __future__ import annotations

import math
import sys
from numbers import Number
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .kinds import (
    Kind,
    Values,
    is_array,
    is_arrow,
    is_finite,
    is_frame,
    is_series,
    of_arrays,
    of_arrow,
    of_lists,
    of_series,
    package,
    plain,
    plain_list,
)
from .labels import paired


LARGEST = sys.float_info.max


class Columns(NamedTuple):
    #: Rows of the input.
    rows: int
    #: Positions of the rows that can be sent.
    kept: Sequence[int]
    #: Each field of the rows that can be sent: one value for all, or a list.
    fields: Dict[str, Any]
    #: Position and fault of the rows with a missing value.
    missing: List[Tuple[int, str]]
    #: Position and fault of the rows with an infinite value, which JSON cannot carry.
    infinite: List[Tuple[int, str]]
    kind: Kind


def read_scalars(arguments: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """The arguments as plain values, or None if one of them is an array."""
    if not all(_is_scalar(value) for value in arguments.values()):
        return None
    return {name: _finite(plain(value, name), name) for name, value in arguments.items()}


def read_columns(arguments: Mapping[str, Any]) -> Columns:
    """Raises ValueError for arrays that do not fit each other, and TypeError for items that are neither numbers nor strings."""
    arrays = paired({name: value for name, value in arguments.items() if not _is_scalar(value)})
    lists, kind = _lists(arrays)
    rows = _length(lists)
    fields = {name: lists[name] if name in lists else plain(value, name) for name, value in arguments.items()}
    return _without_unsendable(fields, rows, kind)


def of_fields(lists: Dict[str, Values], kind: Kind) -> Columns:
    """Lists of plain values that were read already. Raises ValueError for unequal lengths."""
    return _without_unsendable(lists, _length(lists), kind)


def _is_scalar(value: object) -> bool:
    if isinstance(value, (str, bytes, Number)) or value is None:
        return True
    return getattr(value, "ndim", None) == 0 or not hasattr(value, "__iter__")


def _finite(value: Any, name: str) -> Any:
    if isinstance(value, float) and math.isinf(value):
        raise ValueError(f"{name} must be a finite number")
    return value


def _lists(arrays: Mapping[str, Any]) -> Tuple[Dict[str, Values], Kind]:
    """Each array as a list of plain values, and the kind of the result: the first of Series, array, Arrow array and list."""
    for name, value in arrays.items():
        if is_frame(value):
            raise TypeError(f"{name} is a DataFrame; pass one of its columns")
    if any(map(is_array, arrays.values())) and max(getattr(one, "ndim", 1) for one in arrays.values()) > 1:
        return _broadcast(arrays)
    lists = {name: plain_list(_list(value, name), name) for name, value in arrays.items()}
    index = common_index(arrays)
    if index is not None:
        return lists, of_series(index)
    if any(map(is_array, arrays.values())):
        return lists, of_arrays((_length(lists),))
    return lists, of_arrow() if any(map(is_arrow, arrays.values())) else of_lists()


def _list(value: Any, name: str) -> Values:
    if is_array(value) and value.dtype.kind not in "biufOSU":
        raise TypeError(f"{name} has the type {value.dtype}; it takes numbers or strings")
    if is_arrow(value):
        return list(value.to_pylist())
    return list(value.tolist()) if hasattr(value, "tolist") else list(value)


def _broadcast(arrays: Mapping[str, Any]) -> Tuple[Dict[str, Values], Kind]:
    """Arrays of several dimensions by numpy's rules: a column of maturities against a row of strikes gives a surface."""
    numpy = package("numpy")
    for name, value in arrays.items():
        if is_series(value):
            raise ValueError(f"{name} is a Series; with arrays of several dimensions, pass {name}.to_numpy()")
    spread = numpy.broadcast_arrays(*arrays.values())
    lists = {name: plain_list(_list(one.ravel(), name), name) for name, one in zip(arrays, spread)}
    return lists, of_arrays(spread[0].shape)


def common_index(arrays: Mapping[str, Any]) -> Any:
    """The index of the first Series among the arrays, or None."""
    return next((value.index for value in arrays.values() if is_series(value)), None)


def _length(lists: Mapping[str, Values]) -> int:
    (first, one), *others = lists.items()
    for name, other in others:
        if len(other) != len(one):
            raise ValueError(f"{name} has {len(other)} values but {first} has {len(one)}")
    return len(one)


def _without_unsendable(fields: Dict[str, Any], rows: int, kind: Kind) -> Columns:
    missing: Dict[int, str] = {}
    infinite: Dict[int, str] = {}
    for name, values in fields.items():
        if not isinstance(values, list):
            if values != values:
                missing.update(dict.fromkeys(range(rows), f"{name} is missing."))
            _finite(values, name)
            continue
        for row in _not_finite(values):
            if values[row] != values[row]:
                missing.setdefault(row, f"{name} is missing.")
            else:
                infinite.setdefault(row, f"{name} must be a finite number.")
    faults = [(row, fault) for row, fault in sorted(infinite.items()) if row not in missing]
    if not missing and not infinite:
        return Columns(rows, range(rows), fields, [], [], kind)
    kept = [row for row in range(rows) if row not in missing and row not in infinite]
    left = {
        name: [values[row] for row in kept] if isinstance(values, list) else values
        for name, values in fields.items()
    }
    return Columns(rows, kept, left, sorted(missing.items()), faults, kind)


def _not_finite(values: Values) -> List[int]:
    """The rows of NaN, of infinite numbers and of integers that no float holds."""
    if is_finite(values):
        return []
    return [row for row, value in enumerate(values) if not isinstance(value, str) and not -LARGEST <= value <= LARGEST]
