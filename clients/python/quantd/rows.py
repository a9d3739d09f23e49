"""A computation over rows: one request, or several in parallel where one does not take all rows."""
from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import arrow
from .columns import Columns, read_columns, read_scalars
from .errors import MissingRowsWarning, QuantdError, RefusedRowsWarning, RowError, RowsRefusedError
from .failures import BodyTooLargeError, InvalidInputError
from .kinds import Values
from .progress import Progress, is_shown
from .sender import Sender
from .warn import warn


class Piece(NamedTuple):
    start: int
    #: One list per output.
    values: List[Values]
    #: Row of the piece and reason, for the rows that were refused.
    refused: List[Tuple[int, str]]


def by_rows(
    sender: Sender,
    path: str,
    arguments: Mapping[str, Any],
    outputs: Sequence[str],
    record: Optional[Callable[..., Any]] = None,
) -> Any:
    """The outputs for scalars, or for every row of arrays.

    One output is returned as it is: a float, or an array of the kind of the arguments. Several are a DataFrame where an argument is
    a Series, otherwise a `record`.
    """
    scalars = read_scalars(arguments)
    if scalars is not None:
        return _single(sender, path, scalars, outputs, record)
    columns = read_columns(arguments)
    values, refused = _computed(sender, path, columns, outputs)
    result = _result(columns, values, outputs, record)
    _tell_missing(columns)
    if refused:
        _tell_refused(sender, columns, refused, result)
    return result


def _single(
    sender: Sender,
    path: str,
    scalars: Mapping[str, Any],
    outputs: Sequence[str],
    record: Optional[Callable[..., Any]],
) -> Any:
    missing = [name for name, value in scalars.items() if value != value]
    if missing:
        warn(MissingRowsWarning(f"{missing[0]} is NaN; the result is NaN."))
        values = [math.nan] * len(outputs)
    else:
        data = sender._once(path, scalars)
        values = [float(data[name]) for name in outputs]
    return values[0] if record is None else record(*values)


def _computed(
    sender: Sender, path: str, columns: Columns, outputs: Sequence[str]
) -> Tuple[List[Values], List[Tuple[int, str]]]:
    """One list per output with a value for every row of the input, and the refused rows with their reasons."""
    values = [[math.nan] * columns.rows for _ in outputs]
    refused = list(columns.infinite)
    for piece in _pieces(sender, path, columns, outputs):
        rows = columns.kept[piece.start : piece.start + len(piece.values[0])]
        for whole, part in zip(values, piece.values):
            if isinstance(columns.kept, range):
                whole[rows[0] : rows[-1] + 1] = part
            else:
                for row, value in zip(rows, part):
                    whole[row] = value
        refused.extend((rows[row], message) for row, message in piece.refused)
    return values, sorted(refused)


def _pieces(sender: Sender, path: str, columns: Columns, outputs: Sequence[str]) -> List[Piece]:
    options = sender._options
    size, total = options.rows_per_request, len(columns.kept)
    starts = range(0, total, size)
    if len(starts) <= 1:
        # A refusal of all rows is the refusal of the call.
        return [one for start in starts for one in _sent(sender, path, columns.fields, start, total, outputs)]
    pieces: List[Piece] = []
    faults: List[InvalidInputError] = []
    name = path.rsplit("/quantlib/", 1)[-1]
    progress = Progress(name, total, is_shown(options.progress))
    pool = ThreadPoolExecutor(options.parallel)
    try:
        work = {
            pool.submit(_sent, sender, path, columns.fields, start, min(total, start + size), outputs): start
            for start in starts
        }
        for done in as_completed(work):
            start = work[done]
            rows = min(total, start + size) - start
            try:
                pieces.extend(done.result())
            except InvalidInputError as error:
                # No row of this piece has a result; those of other pieces may.
                faults.append(error)
                none = [[math.nan] * rows for _ in outputs]
                pieces.append(Piece(start, none, _refused_rows(error, rows)))
            progress.add(rows)
    finally:
        pool.shutdown(cancel_futures=True)
        progress.close()
    if len(faults) == len(starts):
        raise faults[0]
    return pieces


def _sent(
    sender: Sender, path: str, fields: Mapping[str, Any], start: int, stop: int, outputs: Sequence[str]
) -> List[Piece]:
    """One piece; two or more where the service takes smaller bodies, or less work in one request."""
    columns, scalars = _slice(fields, start, stop)
    try:
        data = sender._exactly_once(f"{path}/columns", arrow.encode(columns, scalars), arrow.MEDIA_TYPE)
    except (BodyTooLargeError, InvalidInputError) as error:
        parts = min(_parts(error), stop - start)
        if parts < 2:
            raise
        size = math.ceil((stop - start) / parts)
        return [
            piece
            for first in range(start, stop, size)
            for piece in _sent(sender, path, fields, first, min(stop, first + size), outputs)
        ]
    return [_piece(data, start, outputs)]


def _parts(error: QuantdError) -> int:
    """The number of requests in which the service may take what it refused in one; 1 if their number does not matter."""
    if isinstance(error, BodyTooLargeError):
        return 2
    seconds: float = error.numbers.get("seconds", 1)
    limit: float = error.numbers.get("limit_seconds", seconds)
    return math.ceil(seconds / limit)


def _slice(fields: Mapping[str, Any], start: int, stop: int) -> Tuple[Dict[str, Values], Dict[str, Any]]:
    """The columns and the scalars of a piece.

    A column of one value is sent as a scalar, but for one column, which tells the number of rows.
    """
    columns = {name: values[start:stop] for name, values in fields.items() if isinstance(values, list)}
    scalars = {name: value for name, value in fields.items() if name not in columns}
    for name, values in list(columns.items()):
        # Zeros stay, since −0 equals 0 and may have another result.
        if len(columns) > 1 and values[0] != 0 and _is_constant(values):
            scalars[name] = columns.pop(name)[0]
    return columns, scalars


def _is_constant(values: Values) -> bool:
    return values.count(values[0]) == len(values)


def _piece(data: Mapping[str, Any], start: int, outputs: Sequence[str]) -> Piece:
    refused = {error["row"]: error["message"] for error in data["errors"]}
    values = [data["columns"][name] for name in outputs]
    if data["failed"] > 0:
        # The service describes the first 1,000 refused rows only.
        for row, value in enumerate(values[0]):
            if value is None and row not in refused:
                refused[row] = "The row was refused."
        values = [[math.nan if value is None else value for value in column] for column in values]
    return Piece(start, values, list(refused.items()))


def _refused_rows(error: InvalidInputError, rows: int) -> List[Tuple[int, str]]:
    """The reason of each row where all were refused: the details name some of them, as /columns/FIELD/ROW."""
    reasons: Dict[int, str] = {}
    for path, message in error.details:
        parts = path.split("/")
        if len(parts) == 4 and parts[3].isdigit():
            # A message that is a sentence does not continue the name of the field.
            reasons.setdefault(int(parts[3]), f"{message}." if message[0].isupper() else f"{parts[2]} {message}.")
    return [(row, reasons.get(row, error.message)) for row in range(rows)]


def _result(
    columns: Columns, values: Sequence[Values], outputs: Sequence[str], record: Optional[Callable[..., Any]]
) -> Any:
    kind = columns.kind
    if record is None:
        return kind.column(outputs[0], values[0])
    if kind.table is not None:
        return kind.table(outputs, values)
    return record(*map(kind.column, outputs, values))


def _tell_missing(columns: Columns) -> None:
    if columns.missing:
        errors = _errors(columns, columns.missing)
        message = f"{_count(columns, errors)} a missing value: {errors[0].message} The result is NaN."
        warn(MissingRowsWarning(message, errors))


def _tell_refused(sender: Sender, columns: Columns, refused: List[Tuple[int, str]], result: Any) -> None:
    errors = _errors(columns, refused)
    message = f"{_count(columns, errors)} no result: {errors[0].message}"
    if sender._options.refused == "raise":
        raise RowsRefusedError(message, errors, result)
    warn(RefusedRowsWarning(message, errors))


def _errors(columns: Columns, faults: Sequence[Tuple[int, str]]) -> List[RowError]:
    labels = columns.kind.labels
    return [RowError(row, row if labels is None else labels[row], message) for row, message in faults]


def _count(columns: Columns, rows: Sequence[RowError]) -> str:
    first = rows[0].label
    if len(rows) == 1:
        return f"1 of {columns.rows:,} rows, at {first}, has"
    return f"{len(rows):,} of {columns.rows:,} rows, the first at {first}, have"
