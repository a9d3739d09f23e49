"""A computation over observations: a table, or vectors of one length, in one request."""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from . import arrow
from .columns import Columns, of_fields
from .errors import MissingRowsWarning
from .kinds import (
    Kind,
    Values,
    as_frame,
    is_array,
    is_arrow,
    is_frame,
    is_series,
    of_arrays,
    of_arrow,
    of_lists,
    of_series,
    package,
    plain_list,
)
from .labels import options, paired
from .sender import Sender
from .tables import Output, matrix_like, records_like
from .warn import warn


def by_observation(
    sender: Sender,
    path: str,
    arrays: Mapping[str, Any],
    scalars: Mapping[str, Any],
    outputs: Sequence[Output],
    record: Callable[..., Any],
) -> Any:
    """The outputs of one request, None where the reply has none. Results per row are of the kind of the first array, with its index.

    Rows with a missing value are left out; their results are missing.
    """
    arrays = paired(arrays)
    columns = _read(arrays)
    if columns.infinite:
        row, fault = columns.infinite[0]
        raise ValueError(f"Row {row}: {fault}")
    if not columns.kept:
        raise ValueError(f"{next(iter(arrays))} has no row without a missing value")
    first = next(iter(arrays.values()))
    data = sender._exactly_once(path, arrow.encode(columns.fields, options(scalars, first)), arrow.MEDIA_TYPE)
    data.update(data.pop("columns"))
    results = [_result(data.get(output.name), output, columns, first) for output in outputs]
    if columns.missing:
        _tell_missing(columns)
    return record(*results)


def _read(arrays: Mapping[str, Any]) -> Columns:
    (name, first), *others = arrays.items()
    if others:
        fields = {name: plain_list(_list(value), name) for name, value in arrays.items()}
    else:
        fields = _columns_of(first, name)
    return of_fields(fields, _kind(first, len(next(iter(fields.values())))))


def _list(value: Any) -> Values:
    return list(value.tolist()) if hasattr(value, "tolist") else list(value)


def _columns_of(table: Any, name: str) -> Dict[str, Values]:
    """The columns of a table. The service sees their order; their names are for its messages."""
    table = as_frame(table)
    if is_frame(table):
        labels = [str(label) for label in table.columns]
        lists = [table.iloc[:, number].tolist() for number in range(len(labels))]
        names = labels if len(set(labels)) == len(labels) else list(map(str, range(len(labels))))
    else:
        lists = _transposed(table, name)
        names = list(map(str, range(len(lists))))
    if not lists or not lists[0]:
        raise ValueError(f"{name} has no rows")
    return {label: plain_list(values, label) for label, values in zip(names, lists)}


def _transposed(table: Any, name: str) -> List[Values]:
    if is_array(table) and table.ndim == 2:
        return [column.tolist() for column in table.T]
    rows = list(table)
    if is_array(table) or is_series(table) or not all(hasattr(row, "__len__") for row in rows):
        raise ValueError(f"{name} must be a table: one row per observation")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(f"{name} has {len(row)} values in row {number} but {len(rows[0])} in row 0")
    return [list(column) for column in zip(*rows)]


def _kind(first: Any, rows: int) -> Kind:
    """The kind of array that results per row are returned in."""
    if is_frame(first) or is_series(first):
        return of_series(first.index)
    if is_array(first):
        return of_arrays((rows,))
    return of_arrow() if is_arrow(first) else of_lists()


def _result(value: Any, output: Output, columns: Columns, first: Any) -> Any:
    if value is None or output.per == "value":
        return value
    if output.per == "number":
        return float(value)
    if output.per == "record":
        return records_like(first, value)
    if output.per == "position":
        positions = [columns.kept[position] for position in value]
        numpy = package("numpy")
        return positions if columns.kind.is_list else numpy.array(positions, dtype=int)
    if columns.missing:
        spread = [[math.nan] * len(value[0]) if output.per == "matrix" else math.nan] * columns.rows
        for row, one in zip(columns.kept, value):
            spread[row] = one
        value = spread
    return matrix_like(first, value) if output.per == "matrix" else columns.kind.column(output.name, value)


def _tell_missing(columns: Columns) -> None:
    row, _ = columns.missing[0]
    label = row if columns.kind.labels is None else columns.kind.labels[row]
    share = f"{len(columns.missing):,} of {columns.rows:,} rows, the first at {label}, have a missing value"
    warn(MissingRowsWarning(f"{share}; they are left out."))
