"""A computation over whole tables: matrices and vectors in one request."""
from __future__ import annotations

import math
import warnings
from typing import Any, Callable, List, Mapping, NamedTuple, Optional, Sequence, Set

from .errors import MissingRowsWarning
from .kinds import Kind, Values, is_array, is_frame, is_series, of_arrays, of_lists, of_series, package, plain, plain_list
from .sender import Sender, encoded

#: Frames from `warnings.warn` to the caller: `_tell_missing`, `by_table`, the method of the client, the caller.
CALLER = 4


class Output(NamedTuple):
    name: str
    #: number: one for the table; row: one per row; position: numbers of rows; matrix: in the shape of the argument.
    per: str


def by_table(
    sender: Sender,
    path: str,
    arrays: Mapping[str, Any],
    scalars: Mapping[str, Any],
    outputs: Sequence[Output],
    record: Optional[Callable[..., Any]] = None,
) -> Any:
    """The outputs of one request. Results per row are of the kind of the first array, with its index."""
    lists = {name: _list(value, name) for name, value in arrays.items()}
    rows = _length(lists)
    missing = _missing_rows(lists)
    # Rows may be left out of observations, but not of a square matrix or a distribution.
    if missing and len(arrays) == 1 and not any(output.per == "row" for output in outputs):
        raise ValueError(f"{next(iter(arrays))} has a missing value in row {min(missing)}")
    kept: Sequence[int] = range(rows)
    if missing:
        kept = [row for row in range(rows) if row not in missing]
        lists = {name: [values[row] for row in kept] for name, values in lists.items()}
    body = {**lists, **{name: plain(value, name) for name, value in scalars.items()}}
    data = sender._exactly_once(path, encoded(body))
    first = next(iter(arrays.values()))
    results = [_result(data[output.name], output, first, rows, kept) for output in outputs]
    if missing:
        _tell_missing(rows, missing, first)
    return results[0] if record is None else record(*results)


def _list(value: Any, name: str) -> List[Any]:
    """A vector as a list, a matrix as a list of rows."""
    if hasattr(value, "to_pandas"):
        value = value.to_pandas()
    if is_frame(value):
        value = value.to_numpy()
    items = value.tolist() if hasattr(value, "tolist") else list(value)
    if not any(_is_row(item) for item in items):
        return plain_list(items, name)
    return [plain_list(list(item), name) if _is_row(item) else item for item in items]


def _is_row(item: object) -> bool:
    return hasattr(item, "__iter__") and not isinstance(item, (str, bytes))


def _length(lists: Mapping[str, List[Any]]) -> int:
    (first, one), *others = lists.items()
    for name, other in others:
        if len(other) != len(one):
            raise ValueError(f"{name} has {len(other)} values but {first} has {len(one)}")
    return len(one)


def _missing_rows(lists: Mapping[str, List[Any]]) -> Set[int]:
    """Rows with a missing value. Raises ValueError for an infinite one, which JSON cannot carry."""
    missing = set()
    for name, rows in lists.items():
        for number, row in enumerate(rows):
            values = row if isinstance(row, list) else [row]
            # Only a sum with a part that is not finite, or that overflows, is not finite.
            if _is_finite(values):
                continue
            if any(value != value for value in values):
                missing.add(number)
            elif any(isinstance(value, float) and math.isinf(value) for value in values):
                raise ValueError(f"{name} has an infinite value in row {number}")
    return missing


def _is_finite(values: Values) -> bool:
    try:
        total = sum(values)
    except TypeError:
        return False
    return bool(total - total == 0)


def _result(value: Any, output: Output, first: Any, rows: int, kept: Sequence[int]) -> Any:
    if output.per == "number":
        return float(value)
    if output.per == "matrix":
        return _like(first, value)
    if output.per == "position":
        positions = [kept[position] for position in value]
        numpy = package("numpy")
        return numpy.array(positions, dtype=int) if is_frame(first) or is_array(first) else positions
    if len(kept) < rows:
        spread = [math.nan] * rows
        for row, one in zip(kept, value):
            spread[row] = one
        value = spread
    return _kind(first, rows).column(output.name, value)


def _kind(first: Any, rows: int) -> Kind:
    """Of results per row."""
    if is_frame(first) or is_series(first):
        return of_series(first.index)
    return of_arrays((rows,)) if is_array(first) else of_lists()


def _like(first: Any, matrix: List[Values]) -> Any:
    if is_frame(first):
        return package("pandas").DataFrame(matrix, index=first.index, columns=first.columns)
    return package("numpy").array(matrix, dtype=float) if is_array(first) else matrix


def _tell_missing(rows: int, missing: Set[int], first: Any) -> None:
    row = min(missing)
    label = first.index[row] if is_frame(first) or is_series(first) else row
    share = f"{len(missing):,} of {rows:,} rows, the first at {label}, have a missing value"
    warnings.warn(MissingRowsWarning(f"{share}; they are left out."), stacklevel=CALLER)
