"""Receipts of single rows of a batch or of columns: made from request and reply, and checked without the other rows."""
from __future__ import annotations

import json
import math
import struct
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, NoReturn, Sequence, Tuple, Union

from .receipt_values import (
    InvalidReceiptError,
    as_bytes,
    climb,
    content_of,
    data_of,
    fail,
    fields,
    json_of,
    leaf_hash,
    members,
    node_hash,
    opened,
    sha256,
    text_of,
    whole,
)

_MOST_LEAVES = 1024
_BATCH = "/quantlib/batch"
_ARROW = b"\xff\xff\xff\xff"


class ProvenRow(NamedTuple):
    """A row that a receipt proves."""

    #: From 0.
    row: int
    #: Of columns its fields by name; of a batch the call.
    request: Any
    result: Any


def row_receipt(
    receipt: Union[str, bytes, Mapping[str, Any]], request: Union[str, bytes], reply: Union[str, bytes], row: int
) -> Dict[str, Any]:
    """Makes the receipt of one row, from 0, of a batch or of columns. Raises InvalidReceiptError.

    The call was made with the header `X-Row-Receipts: on`; `request` is its body as it was sent, `reply` the reply as it was
    received, or its `data`. The receipt shows the row, and of more than 1,024 rows its neighbours. Of Arrow streams `quantd row-receipt` makes it, and the TypeScript client.
    """
    call = opened(receipt)
    leaf = fields(call.get("leaf"), "leaf")
    body, data = as_bytes(request), data_of(as_bytes(reply))
    content = str(leaf.get("content"))
    if content[:64] != content_of(body, data):
        _refuse("the request or the reply is not that of the call")
    if len(content) == 64:
        _refuse("the call was not made with X-Row-Receipts: on, or is no batch and no columns")
    if body.startswith(_ARROW) or data.startswith(_ARROW):
        _refuse("request or reply is an Arrow stream: use quantd row-receipt")
    count, make = (_batch if leaf.get("path") == _BATCH else _columns)(body, data)
    if not 0 <= row < count:
        _refuse(f"the call has the rows 0 to {count - 1}")
    each, digest = _rows_of_leaf(count), sha256(data)
    hashes: List[str] = []
    made: Dict[str, Any] = {}
    for index in range(-(-count // each)):
        first = index * each
        salt = leaf_hash(text_of({"data": digest, "leaf": index}))
        head, shown = make(first, min(each, count - first))
        head = {"count": count, "first": first, "rows": min(each, count - first), "salt": salt, **head}
        hashes.append(_leaf(head, shown))
        if index == row // each:
            made = {"head": head, **shown}
    path, root = _path(hashes, row // each)
    if root != content[64:]:
        _refuse("the rows are not those of the call")
    return {"quantd_row_receipt": 1, "receipt": dict(call), "row": row, **made, "path": path}


def check_row(given: Mapping[str, Any], content: Any) -> ProvenRow:
    """Checks the receipt of a row. `content` is that of the audit row: its second half is the root of the rows."""
    if whole(given.get("quantd_row_receipt")) != 1:
        fail("it is no receipt of a row of version 1")
    members(given, "it", ("quantd_row_receipt", "receipt", "row", "head", "request", "result", "path"))
    if not isinstance(content, str) or len(content) != 128:
        fail("the call has no rows")
    head = fields(given.get("head"), "head")
    row, count, first, rows = map(whole, (given.get("row"), head.get("count"), head.get("first"), head.get("rows")))
    each = _rows_of_leaf(count)
    index = row // each
    if row >= count or first != index * each or rows != min(each, count - first):
        fail("the row is not in its leaf")
    values = [_value(head.get(side), given.get(side), rows, row - first) for side in ("request", "result")]
    if climb(_leaf(head, given), index, -(-count // each), given.get("path")) != content[64:]:
        fail("the row is not in the tree over the rows of the call")
    return ProvenRow(row, *values)


def _rows_of_leaf(count: int) -> int:
    rows = 1
    while rows * _MOST_LEAVES < count:
        rows *= 2
    return rows


_Side = Dict[str, Any]
#: The kinds of a leaf, and what it shows, by its first row and their number.
_Make = Callable[[int, int], Tuple[_Side, _Side]]


def _batch(body: bytes, data: bytes) -> Tuple[int, _Make]:
    request, result = body.decode(), data.decode()
    calls, results = _items(request, "calls"), _items(result, "results")

    def make(first: int, rows: int) -> Tuple[_Side, _Side]:
        asked = request[calls[first][0] : calls[first + rows - 1][1]]
        got = result[results[first][0] : results[first + rows - 1][1]]
        return {"request": len(asked.encode()), "result": len(got.encode())}, {"request": asked, "result": got}

    return len(calls), make


def _items(text: str, name: str) -> List[Tuple[int, int]]:
    """Start and end of each item of the list with this name; if the name occurs twice, the last list, as in JSON parsers."""
    decoder, blank = json.JSONDecoder(), " \t\n\r"
    items: List[Tuple[int, int]] = []

    def after(at: int) -> int:
        while text[at] in blank:
            at += 1
        return at

    at = after(after(0) + 1)
    while text[at] != "}":
        key, at = decoder.raw_decode(text, at)
        at = after(after(at) + 1)
        if key == name and text[at] == "[":
            items, at = [], after(at + 1)
            while text[at] != "]":
                _, end = decoder.raw_decode(text, at)
                items.append((at, end))
                at = after(end)
                at = after(at + 1) if text[at] == "," else at
            at += 1
        else:
            _, at = decoder.raw_decode(text, at)
        at = after(at)
        at = after(at + 1) if text[at] == "," else at
    return items


def _columns(body: bytes, data: bytes) -> Tuple[int, _Make]:
    asked, got = json_of(body.decode())["columns"], json_of(data.decode())["columns"]
    some: Sequence[Any] = next(iter(got.values()))

    def kind(values: Any) -> str:
        several = isinstance(values, list)
        is_text = any(isinstance(value, str) for value in (values if several else [values]))
        return ("text" if is_text else "number") + ("s" if several else "")

    def shown(columns: Mapping[str, Any], first: int, rows: int) -> Dict[str, Any]:
        return {
            name: [
                _shown(value, some[first + place] is None) for place, value in enumerate(values[first : first + rows])
            ]
            if isinstance(values, list)
            else values
            for name, values in columns.items()
        }

    kinds = {
        side: {name: kind(values) for name, values in columns.items()}
        for side, columns in (("request", asked), ("result", got))
    }
    return len(some), lambda first, rows: (
        kinds,
        {"request": shown(asked, first, rows), "result": shown(got, first, rows)},
    )


def _shown(value: Any, has_failed: bool) -> Any:
    """A text in a row that failed is left out, and so is a number that no double holds."""
    if isinstance(value, str):
        return None if has_failed else value
    try:
        return value if value is None or math.isfinite(value) else None
    except OverflowError:
        return None


def _leaf(head: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    parts = [_bytes(head.get(side), given.get(side), whole(head.get("rows"))) for side in ("request", "result")]
    return sha256(b"\0" + text_of(head) + b"".join(parts))


def _bytes(kinds: Any, given: Any, rows: int) -> bytes:
    if isinstance(kinds, int):
        text = given.encode(errors="replace") if isinstance(given, str) else b""
        if len(text) != kinds:
            fail("a row has another length")
        return text
    values = members(given, "a row", fields(kinds, "head"))
    return b"".join(_column(kind, values[name], rows) for name, kind in sorted(kinds.items()))


def _column(kind: Any, given: Any, rows: int) -> bytes:
    several = kind in ("numbers", "texts")
    if several != isinstance(given, list):
        fail("a row is malformed")
    values = given if several else [given]
    if len(values) != (rows if several else 1):
        fail("the leaf has another number of rows")
    if kind in ("number", "numbers"):
        return struct.pack(f"<{len(values)}d", *map(_number, values))
    if kind not in ("text", "texts"):
        fail("a kind is unknown")
    if not all(value is None or isinstance(value, str) for value in values):
        fail("a text is malformed")
    return b"".join(text_of(value) for value in values)


def _number(value: Any) -> float:
    """The float of a number, with 0 for −0 and NaN for a missing number."""
    if value is None:
        return math.nan
    try:
        number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan
    except OverflowError:
        number = math.nan
    return number + 0.0 if math.isfinite(number) else fail("a number is malformed")


def _value(kinds: Any, given: Any, rows: int, place: int) -> Any:
    """The value of the row, from the request or the result in its leaf."""
    if isinstance(kinds, int):
        try:
            items = json_of(f"[{given}]")
        except (ValueError, RecursionError):
            fail("a row is not JSON")
        if len(items) != rows:
            fail("the leaf has another number of rows")
        return items[place]
    values = fields(given, "a row")
    found = {}
    for name in fields(kinds, "head"):
        value = values.get(name)
        if isinstance(value, list):
            if place >= len(value):
                fail("the leaf has another number of rows")
            value = value[place]
        found[name] = value
    return found


def _path(hashes: List[str], place: int) -> Tuple[List[str], str]:
    path: List[str] = []
    while len(hashes) > 1:
        if place ^ 1 < len(hashes):
            path.append(hashes[place ^ 1])
        pairs = [hashes[at : at + 2] for at in range(0, len(hashes), 2)]
        hashes = [node_hash(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
        place //= 2
    return path, hashes[0]


def _refuse(reason: str) -> NoReturn:
    raise InvalidReceiptError(f"No receipt of the row can be made: {reason}.")
