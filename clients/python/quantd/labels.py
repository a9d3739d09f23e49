"""Labels of pandas: values are paired by them, and never by their order where it differs."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence, Tuple

from .kinds import Options, as_frame, is_frame, is_series, plain_or_flag

#: The arrays of one request that describe the same rows. Arrays that no group names stand alone.
SAME_ROWS: Sequence[Tuple[str, ...]] = (
    ("y_true", "y_score", "y_prob", "weights"),
    ("expected", "expected_y_true", "expected_weights"),
    ("actual", "actual_y_true", "actual_weights"),
)
#: Matrices with a row and a column for each label, and the vector of one value for each of these labels.
SQUARE = {"transitions": "exposures"}
#: The argument with the names of the columns of the table.
NAMES = "columns"


def paired(arrays: Mapping[str, Any]) -> Dict[str, Any]:
    """The arrays, with every Series in the order of the first. Raises ValueError where one has other labels."""
    made = dict(arrays)
    series = [name for name, value in arrays.items() if is_series(value)]
    for name in series[1:]:
        made[name] = _like(arrays[name], name, arrays[series[0]].index, series[0])
    return made


def aligned(arrays: Mapping[str, Any]) -> Dict[str, Any]:
    """The arrays of a request whose arrays differ in length. Raises ValueError where labels that belong together differ."""
    made = dict(arrays)
    for group in SAME_ROWS:
        made.update(paired({name: arrays[name] for name in group if name in arrays}))
    for name, vector in SQUARE.items():
        if is_frame(made.get(name)):
            made[name] = table = _square(made[name], name)
            if is_series(made.get(vector)):
                made[vector] = _like(made[vector], vector, table.index, name)
    return made


def options(scalars: Mapping[str, Any], table: Any) -> Options:
    """The other arguments as plain values; the names of columns, if none are given, are those of a data frame."""
    given = {name: plain_or_flag(value, name) for name, value in scalars.items() if name != NAMES}
    names = [str(name) for name in scalars.get(NAMES, ())] or (_names(as_frame(table)) if NAMES in scalars else [])
    return {**given, NAMES: names} if names else given


def _names(table: Any) -> List[str]:
    """The labels of the columns; none where pandas has numbered them."""
    if not is_frame(table) or list(table.columns) == list(range(len(table.columns))):
        return []
    return [str(label) for label in table.columns]


def _like(series: Any, name: str, index: Any, other: str) -> Any:
    """The Series in the order of the index. One of another length is left as it is: its length is refused later."""
    if len(series) != len(index) or series.index.equals(index):
        return series
    positions = _positions(series.index, index)
    if positions is None:
        raise ValueError(f"{other} and {name} have different indexes ({_difference(index, series.index)}); align them first")
    return series.take(positions)


def _square(table: Any, name: str) -> Any:
    """The table with its columns in the order of its rows."""
    rows, columns = table.index, table.columns
    if list(rows) == list(columns):
        return table
    positions = _positions(columns, rows)
    if positions is None:
        raise ValueError(
            f"The rows and columns of {name} have different labels ({_difference(rows, columns)}); give both the same, for "
            f"example by {name}.reindex(index=labels, columns=labels, fill_value=0), or pass {name}.to_numpy()"
        )
    return table.iloc[:, positions]


def _positions(labels: Any, wanted: Any) -> Any:
    """Where each wanted label is; None unless both have the same labels, each once."""
    if len(labels) != len(wanted) or not labels.is_unique or not wanted.is_unique:
        return None
    positions = labels.get_indexer(wanted)
    return None if (positions < 0).any() else positions


def _difference(one: Any, other: Any) -> str:
    """A label that only one of two indexes has, or that one has twice."""
    for labels, others in ((one, other), (other, one)):
        for label in labels.difference(others, sort=False):
            return f"only one has {label!r}"
    repeated = next(label for labels in (one, other) for label in labels[labels.duplicated()])
    return f"{repeated!r} is there twice"
