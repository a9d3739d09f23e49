"""A computation over rows of a history: an entity, a time and a word each, in one request."""
from __future__ import annotations

import datetime
from typing import Any, Callable, List, Mapping, Sequence

from . import arrow
from .kinds import Values, is_array, is_missing, is_series, package, plain_list
from .labels import paired
from .sender import Sender
from .tables import Output

#: The arguments that are columns of the rows; other arrays are lists of words.
COLUMNS = ("entities", "ratings", "times", "dates")


def by_history(
    sender: Sender,
    path: str,
    arrays: Mapping[str, Any],
    scalars: Mapping[str, Any],
    outputs: Sequence[Output],
    record: Callable[..., Any],
) -> Any:
    """The outputs of one request, None where the reply has none. Matrices of a Series have the words as labels."""
    rows = paired({name: arrays[name] for name in COLUMNS if len(arrays[name]) > 0})
    fields = {name: _column(values, name) for name, values in rows.items()}
    lists = {name: plain_list(list(words), name) for name, words in arrays.items() if name not in COLUMNS}
    others = {name: _instant(value) for name, value in scalars.items()}
    lengths = {name: len(values) for name, values in fields.items()}
    if len(set(lengths.values())) != 1:
        raise ValueError("The columns differ in length: " + ", ".join(f"{name} has {n:,}" for name, n in lengths.items()))
    data = sender._exactly_once(path, arrow.encode(fields, {**others, **lists}), arrow.MEDIA_TYPE)
    data.update(data.pop("columns"))
    first = next(iter(rows.values()))
    return record(*(_result(first, data.get(output.name), output.per, lists["order"]) for output in outputs))


def _column(values: Any, name: str) -> Values:
    """The values as JSON knows them, dates as texts. Leaving out a row would change the meaning of the others."""
    if is_series(values):
        values = values.to_numpy()
    if is_array(values) and values.dtype.kind == "M":
        numpy = package("numpy")
        _refuse_missing(numpy.isnat(values), name)
        return list(numpy.datetime_as_string(values.astype("datetime64[us]"), unit="auto").tolist())
    items = values.tolist() if hasattr(values, "tolist") else list(values)
    _refuse_missing(map(is_missing, items), name)
    return plain_list([_instant(item) for item in items], name)


def _refuse_missing(missing: Any, name: str) -> None:
    row = next((row for row, one in enumerate(missing) if one), None)
    if row is not None:
        raise ValueError(f"{name} has no value in row {row}; give it one or leave the row out")


def _instant(value: Any) -> Any:
    """A date or a timestamp, also of pandas or numpy, as text; other values as they are."""
    if hasattr(value, "dtype") and value.dtype.kind == "M":
        value = value.astype("datetime64[us]").item()
    return value.isoformat() if isinstance(value, datetime.date) else value


def _result(first: Any, value: Any, per: str, labels: List[str]) -> Any:
    if value is None or per == "value":
        return value
    if per == "number":
        return float(value)
    if is_series(first):
        pandas = package("pandas")
        if per == "matrix":
            return pandas.DataFrame(value, index=labels, columns=labels, dtype=float)
        return pandas.Series(value, index=labels, dtype=float)
    return package("numpy").array(value, dtype=float) if is_array(first) else value
