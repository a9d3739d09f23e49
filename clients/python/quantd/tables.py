"""A computation over a square matrix or a distribution, which is sent as a whole."""
from __future__ import annotations

from typing import Any, Callable, List, Mapping, NamedTuple, Optional, Sequence

from .kinds import Values, is_array, is_finite, is_frame, package, plain, plain_list
from .sender import Sender, encoded


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
    """The outputs of one request. A matrix is of the kind of the argument, with its labels."""
    ((name, table),) = arrays.items()
    body = {name: _list(table, name), **{key: plain(value, key) for key, value in scalars.items()}}
    data = sender._exactly_once(path, encoded(body))
    results = [
        float(data[output.name]) if output.per == "number" else _like(table, data[output.name])
        for output in outputs
    ]
    return results[0] if record is None else record(*results)


def _list(table: Any, name: str) -> List[Any]:
    """A vector as a list, a matrix as a list of rows."""
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


def _like(table: Any, matrix: List[Values]) -> Any:
    if is_frame(table):
        return package("pandas").DataFrame(matrix, index=table.index, columns=table.columns)
    return package("numpy").array(matrix, dtype=float) if is_array(table) else matrix
