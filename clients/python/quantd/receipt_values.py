"""Values of receipts, which anybody may have made, and their hashes."""
from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from typing import Any, Mapping, NoReturn, Union

_HASH = re.compile(r"[0-9a-f]{64}\Z")
_REPLY = b'{"success":true,"data":'
_MOST_STEPS = 64
_MOST_NUMBER = 2**53

Bytes = Union[str, bytes]


class InvalidReceiptError(Exception):
    """The receipt proves nothing; the message says why."""


def climb(leaf: str, place: int, size: int, steps: Any) -> str:
    """The root over a leaf, by RFC 9162, section 2.1.3.2."""
    if not isinstance(steps, list) or len(steps) > _MOST_STEPS or place >= size:
        fail("a path is malformed")
    last, root = size - 1, leaf
    for step in steps:
        if last == 0:
            fail("a path is too long")
        if place % 2 == 1 or place == last:
            root = node_hash(hash_of(step), root)
            while place % 2 == 0 and place != 0:
                place, last = place // 2, last // 2
        else:
            root = node_hash(root, hash_of(step))
        place, last = place // 2, last // 2
    if last != 0:
        fail("a path is too short")
    return root


def data_of(reply: bytes) -> bytes:
    """What is between the envelope's head and its last brace; Arrow and bare data as they are."""
    return reply[len(_REPLY) : -1] if reply.startswith(_REPLY) else reply


def leaf_hash(text: bytes) -> str:
    return hashlib.sha256(b"\0" + text).hexdigest()


def node_hash(left: str, right: str) -> str:
    return hashlib.sha256(b"\1" + bytes.fromhex(left) + bytes.fromhex(right)).hexdigest()


def text_of(value: Any) -> bytes:
    """Canonical JSON (RFC 8785) of texts, whole numbers, lists and objects with ASCII names."""
    _check_plain(value)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    try:
        return text.encode()
    except UnicodeEncodeError:
        fail("a field has a value that no receipt has")


def _check_plain(value: Any) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _check_plain(item)
    elif isinstance(value, list):
        for item in value:
            _check_plain(item)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) >= _MOST_NUMBER):
        fail("a field has a value that no receipt has")


def parsed(text: Bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        fail("the receipt is not JSON")


def as_bytes(content: Bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def from_base64(text: Any) -> bytes:
    try:
        return base64.b64decode(str(text) + "=" * (-len(str(text)) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        fail("a key or signature is malformed")


def fields(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        fail(f"{name} is malformed")
    return value


def hash_of(value: Any) -> str:
    if not isinstance(value, str) or _HASH.match(value) is None:
        fail("a hash is malformed")
    return value


def whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MOST_NUMBER:
        fail("a number is malformed")
    return value


def fail(message: str) -> NoReturn:
    raise InvalidReceiptError(f"The receipt is not valid: {message}.")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def content_of(request: bytes, data: bytes) -> str:
    """The digests of a body and of a result, in one."""
    return leaf_hash(text_of({"data": sha256(data), "request": sha256(request)}))
