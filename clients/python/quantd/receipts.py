"""Checks receipts against published keys, without the service (docs/receipts.md)."""
from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from typing import Any, Dict, List, Mapping, NamedTuple, NoReturn, Optional, Sequence, Union

_HASH = re.compile(r"[0-9a-f]{64}\Z")
_REPLY = b'{"success":true,"data":'
_MOST_STEPS = 64
_MOST_NUMBER = 2**53

Bytes = Union[str, bytes]


class InvalidReceiptError(Exception):
    """The receipt proves nothing; the message says why."""


class ProvenCall(NamedTuple):
    """What a valid receipt proves."""

    #: The fields of the audit row.
    leaf: Dict[str, Any]
    #: When it was signed at the latest, in epoch milliseconds.
    signed_at: int
    key_id: str
    #: Whether request and reply were given, and are those of the call.
    content_matches: bool


def verify_receipt(
    receipt: Union[str, bytes, Mapping[str, Any]],
    keys: Sequence[Mapping[str, Any]],
    *,
    request: Optional[Bytes] = None,
    reply: Optional[Bytes] = None,
) -> ProvenCall:
    """Checks a receipt. Raises InvalidReceiptError.

    `keys` are those of /.well-known/quantd-keys.json, fetched before: a key from elsewhere proves nothing. `request` is
    the body as it was sent, `reply` the reply as it was received, or its `data`: both or neither. Needs the package
    `cryptography` (the extra `receipts`).
    """
    value = _fields(_parsed(receipt) if isinstance(receipt, (str, bytes)) else receipt, "the receipt")
    if _whole(value.get("quantd_receipt")) != 1:
        _fail("the receipt has an unknown version")
    row, group = _fields(value.get("leaf"), "leaf"), _fields(value.get("group"), "group")
    if row.get("at") != group.get("at"):
        _fail("the row has another time than its group")
    number, leaves = _whole(group.get("number")), _whole(group.get("leaves"))
    root = _climb(_leaf_hash(_text(row)), _whole(value.get("index")), leaves, value.get("path"))
    facts = {name: group.get(name) for name in ("at", "leaves", "number", "previous", "stream")}
    _hash(facts["previous"])
    link = _leaf_hash(_text({**facts, "root": root}))
    checkpoint = _fields(value.get("checkpoint"), "checkpoint")
    entry = _entry(checkpoint, group.get("stream"), number)
    first, last = _whole(entry["first"]), _whole(entry["last"])
    if number == last and link != entry.get("head"):
        _fail("the group is not the head of its stream")
    if _climb(link, number - first, last - first + 1, value.get("way")) != _hash(entry.get("root")):
        _fail("the row is not in the tree that the checkpoint signs")
    _check_signature(checkpoint, value.get("signatures"), keys)
    matches = _check_content(row, request, reply)
    return ProvenCall(dict(row), _whole(checkpoint.get("at")), str(checkpoint.get("key")), matches)


def _climb(leaf: str, place: int, size: int, steps: Any) -> str:
    """The root over a leaf, by RFC 9162, section 2.1.3.2."""
    if not isinstance(steps, list) or len(steps) > _MOST_STEPS or place >= size:
        _fail("a path is malformed")
    last, root = size - 1, leaf
    for step in steps:
        if last == 0:
            _fail("a path is too long")
        if place % 2 == 1 or place == last:
            root = _node_hash(_hash(step), root)
            while place % 2 == 0 and place != 0:
                place, last = place // 2, last // 2
        else:
            root = _node_hash(root, _hash(step))
        place, last = place // 2, last // 2
    if last != 0:
        _fail("a path is too short")
    return root


def _entry(checkpoint: Mapping[str, Any], stream: Any, number: int) -> Mapping[str, Any]:
    streams = checkpoint.get("streams")
    for entry in streams if isinstance(streams, list) else []:
        fields = _fields(entry, "a stream")
        if fields.get("stream") == stream and _whole(fields.get("first")) <= number <= _whole(fields.get("last")):
            return fields
    _fail("the checkpoint does not mention the group")


def _check_signature(checkpoint: Mapping[str, Any], signatures: Any, keys: Sequence[Mapping[str, Any]]) -> None:
    name = checkpoint.get("key")
    key = next((one for one in keys if one.get("id") == name), None)
    if key is None:
        _fail(f"the key {name} is not among the given ones")
    public = _base64(key.get("public_key"))
    if key.get("algorithm") != "Ed25519" or hashlib.sha256(public).hexdigest()[:16] != name:
        _fail("a given key is malformed")
    at, until = _whole(checkpoint.get("at")), key.get("until")
    if at < _whole(key.get("from")) or (until is not None and at > _whole(until)):
        _fail("the key did not sign at this time")
    given: List[Any] = signatures if isinstance(signatures, list) else []
    own = next((one for one in given if isinstance(one, dict) and one.get("key") == name), None)
    if own is None:
        _fail("the signature is missing")
    if not _is_signed(public, _base64(own.get("signature")), _text(checkpoint)):
        _fail("the signature is wrong")


def _is_signed(public: bytes, signature: bytes, text: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise ImportError(
            "verify_receipt needs the package cryptography: install quantd[receipts], or python3-cryptography on Debian"
        ) from error
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def _check_content(row: Mapping[str, Any], request: Optional[Bytes], reply: Optional[Bytes]) -> bool:
    if request is None and reply is None:
        return False
    if request is None or reply is None:
        _fail("request and reply can be checked together only")
    data = _data(_bytes(reply)) if row.get("status") == 200 else b""
    digests = {
        "data": hashlib.sha256(data).hexdigest(),
        "request": hashlib.sha256(_bytes(request)).hexdigest(),
    }
    if _leaf_hash(_text(digests)) != row.get("content"):
        _fail("the request or the reply is not that of the call")
    return True


def _data(reply: bytes) -> bytes:
    """What is between the envelope's head and its last brace; Arrow and bare data as they are."""
    return reply[len(_REPLY) : -1] if reply.startswith(_REPLY) else reply


def _leaf_hash(text: bytes) -> str:
    return hashlib.sha256(b"\0" + text).hexdigest()


def _node_hash(left: str, right: str) -> str:
    return hashlib.sha256(b"\1" + bytes.fromhex(left) + bytes.fromhex(right)).hexdigest()


def _text(value: Any) -> bytes:
    """Canonical JSON (RFC 8785) of texts, whole numbers, lists and objects with ASCII names."""
    _check_plain(value)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    try:
        return text.encode()
    except UnicodeEncodeError:
        _fail("a field has a value that no receipt has")


def _check_plain(value: Any) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _check_plain(item)
    elif isinstance(value, list):
        for item in value:
            _check_plain(item)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) >= _MOST_NUMBER):
        _fail("a field has a value that no receipt has")


def _parsed(text: Bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        _fail("the receipt is not JSON")


def _bytes(content: Bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _base64(text: Any) -> bytes:
    try:
        return base64.b64decode(str(text) + "=" * (-len(str(text)) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        _fail("a key or signature is malformed")


def _fields(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        _fail(f"{name} is malformed")
    return value


def _hash(value: Any) -> str:
    if not isinstance(value, str) or _HASH.match(value) is None:
        _fail("a hash is malformed")
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MOST_NUMBER:
        _fail("a number is malformed")
    return value


def _fail(message: str) -> NoReturn:
    raise InvalidReceiptError(f"The receipt is not valid: {message}.")
