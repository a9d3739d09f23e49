"""A computation over a matrix, or over lists of lengths of their own, which are sent as a whole."""
from __future__ import annotations

from typing import Any, Callable, List, Mapping, NamedTuple, Optional, Sequence

from .kinds import (
    Options,
    Values,
    as_frame,
    is_array,
    is_finite,
    is_frame,
    is_missing,
    is_series,
    of_series,
    package,
    plain_finite,
    plain_list,
)
from .labels import aligned, options
from .sender import Sender, encoded


#: Matrices with a row for each of the argument `times`, and a column for each column of the table.
BY_TIME = ("default_probabilities", "default_probabilities_lower", "default_probabilities_upper")


class Output(NamedTuple):
    name: str
    #: number: one for the request; value: another one, as it is; row: one per row, or a list; record: dictionaries;
    #: position: numbers of rows; matrix: in the shape of the argument.
    per: str


def by_table(
    sender: Sender,
    path: str,
    arrays: Mapping[str, Any],
    scalars: Mapping[str, Any],
    outputs: Sequence[Output],
    record: Optional[Callable[..., Any]] = None,
) -> Any:
    """The outputs of one request, None where the reply has none. Lists and matrices are of the kind of the first argument."""
    arrays = aligned(arrays)
    lists = {name: as_list(table, name) for name, table in arrays.items()}
    table = next(iter(arrays.values()))
    data = _data(sender, path, lists, options(scalars, table))
    results = [
        matrix_by_time(table, data.get(output.name), lists["times"])
        if output.name in BY_TIME
        else _result(table, data.get(output.name), output.per)
        for output in outputs
    ]
    return results[0] if record is None else record(*results)


def by_records(
    sender: Sender,
    path: str,
    arrays: Mapping[str, Any],
    scalars: Mapping[str, Any],
    outputs: Sequence[Output],
    record: Callable[..., Any],
) -> Any:
    """The same for a list of objects, which may be a table with a column for each field: results per row then have its index."""
    table = next(iter(arrays.values()))
    data = _data(sender, path, {name: _objects(table, name) for name, table in arrays.items()}, options(scalars, table))
    index = table.index if is_frame(table) else None

    def result(output: Output) -> Any:
        value = data.get(output.name)
        if output.per == "row" and index is not None:
            return of_series(index).column(output.name, value)
        return _result(table, value, output.per)

    return record(*map(result, outputs))


def _data(sender: Sender, path: str, lists: Mapping[str, Any], others: Options) -> Any:
    return sender._exactly_once(path, encoded({**lists, **others}))


def _objects(table: Any, name: str) -> List[Mapping[str, Any]]:
    """The rows of a table as dictionaries without the fields whose values are missing."""
    table = as_frame(table)
    rows = table.to_dict("records") if is_frame(table) else list(table)
    if not all(hasattr(row, "items") for row in rows):
        raise ValueError(f"{name} must be a DataFrame or a list of dictionaries")
    return [
        {str(key): plain_finite(value, str(key)) for key, value in row.items() if not is_missing(value)} for row in rows
    ]


def _result(table: Any, value: Any, per: str) -> Any:
    if value is None or per == "value":
        return value
    if per == "number":
        return float(value)
    if per == "record":
        return records_like(table, value)
    if per == "matrix":
        return matrix_like(table, value)
    return package("numpy").array(value) if is_array(table) else value


def records_like(argument: Any, records: List[Any]) -> Any:
    """A table where the argument is of pandas; fields of inner records are named with a point, as `outer.inner`."""
    if is_frame(argument) or is_series(argument):
        return package("pandas").json_normalize(records)
    return records


def as_list(table: Any, name: str) -> List[Any]:
    """A vector as a list, a matrix as a list of rows."""
    table = as_frame(table)
    if is_frame(table):
        table = table.to_numpy()
    items = table.tolist() if hasattr(table, "tolist") else list(table)
    if not any(map(_is_row, items)):
        return _finite(plain_list(items, name), name)
    return [_finite(plain_list(list(item), name), name) if _is_row(item) else item for item in items]


def _is_row(item: object) -> bool:
    return hasattr(item, "__iter__") and not isinstance(item, (str, bytes))


def _finite(values: Values, name: str) -> Values:
    """Leaving out a missing value would change the meaning of the others."""
    if not is_finite(values) and any(isinstance(value, float) and value - value != 0 for value in values):
        raise ValueError(f"{name} has a missing or infinite value")
    return values


def matrix_like(table: Any, matrix: List[Values]) -> Any:
    if len(set(map(len, matrix))) != 1:
        return matrix
    if is_frame(table):
        return package("pandas").DataFrame(matrix, index=table.index, columns=table.columns, dtype=float)
    return package("numpy").array(matrix, dtype=float) if is_array(table) else matrix


def matrix_by_time(table: Any, matrix: Optional[List[Values]], times: Values) -> Any:
    if matrix and is_frame(table):
        return package("pandas").DataFrame(matrix, index=times, columns=table.columns, dtype=float)
    return matrix and matrix_like(table, matrix)
