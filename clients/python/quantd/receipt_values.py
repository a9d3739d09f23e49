"""Values of receipts, which anybody may have made, and their hashes."""
from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any, Dict, Iterable, List, Mapping, NoReturn, Tuple, Union

_HASH = re.compile(r"[0-9a-f]{64}\Z")
_REPLY = b'{"success":true,"data":'
_MOST_STEPS = 64
_SHORT_BYTES = 1024
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
    """The text between the head of the envelope and its last brace; Arrow and bare data are returned unchanged."""
    return reply[len(_REPLY) : -1] if reply.startswith(_REPLY) and reply.endswith(b"}") else reply


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


def opened(given: Union[Bytes, Mapping[str, Any]]) -> Mapping[str, Any]:
    """The receipt in a JSON value or its text: the value itself, or the `data` of a successful reply."""
    try:
        value = _parsed(given) if isinstance(given, (str, bytes)) else given
        found = fields(_with_whole_numbers(value), "the receipt")
    except (ValueError, RecursionError):
        fail("it is not JSON")
    if found.get("success") is not True:
        return found
    return fields(members(found, "the reply", ("success", "data"))["data"], "the receipt")


def _parsed(text: Bytes) -> Any:
    # Decodes bytes first, because json.loads would guess their encoding. Some programs save files with a byte order mark.
    decoded = text if isinstance(text, str) else text.decode()
    # json.loads alone accepts NaN, and refuses integers of many digits, against RFC 8259.
    return json.loads(
        decoded.removeprefix("\ufeff"), object_pairs_hook=_object, parse_constant=_constant, parse_int=_int
    )


def _object(members: List[Tuple[str, Any]]) -> Dict[str, Any]:
    # If a name occurs twice, most parsers take the last value, but others take or show the first.
    found = dict(members)
    if len(found) != len(members):
        fail("an object has a name twice")
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(name)


def _int(digits: str) -> Union[int, float]:
    return int(digits) if len(digits) < 400 else float(digits)


def _with_whole_numbers(value: Any) -> Any:
    """Converts floats without a fraction to integers, since JSON does not tell 1.0 from 1."""
    if isinstance(value, dict):
        return {name: _with_whole_numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_whole_numbers(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def as_bytes(content: Bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


#: Base64url of 32 and of 64 bytes: one text each, so that the bits of the last digit that belong to no byte are zero.
PUBLIC_KEY = re.compile(r"[\w-]{42}[AEIMQUYcgkosw048]\Z", re.ASCII)
SIGNATURE = re.compile(r"[\w-]{85}[AQgw]\Z", re.ASCII)


def from_base64(text: Any, form: "re.Pattern[str]") -> bytes:
    if not isinstance(text, str) or form.match(text) is None:
        fail("a key or signature is malformed")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def fields(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        fail(f"{name} is malformed")
    return value


def members(value: Any, name: str, names: Iterable[str]) -> Mapping[str, Any]:
    """An object with exactly these members: others would be shown with the receipt, and prove nothing."""
    given = fields(value, name)
    if given.keys() != set(names):
        fail(f"{name} has other members")
    return given


def hash_of(value: Any) -> str:
    if not isinstance(value, str) or _HASH.match(value) is None:
        fail("a hash is malformed")
    return value


def whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MOST_NUMBER:
        fail("a number is malformed")
    return value


def fail(message: str) -> NoReturn:
    refuse(f"The receipt is not valid: {message}.")


def refuse(message: str) -> NoReturn:
    raise InvalidReceiptError(message)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def content_of(request: bytes, data: bytes) -> str:
    """The common digest of a request body and the data of its reply."""
    return leaf_hash(_part(request) + _part(data))


def _part(content: bytes) -> bytes:
    """The length and the content; for long content, a mark and its digest."""
    if len(content) > _SHORT_BYTES:
        return b"\xff\xff" + hashlib.sha256(content).digest()
    return len(content).to_bytes(2, "big") + content
