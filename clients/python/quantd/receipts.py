"""Checks receipts against published keys, without the service (docs/receipts.md)."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from .receipt_values import (
    PUBLIC_KEY,
    SIGNATURE,
    Bytes,
    as_bytes,
    climb,
    content_of,
    data_of,
    fail,
    fields,
    from_base64,
    hash_of,
    leaf_hash,
    members,
    opened,
    refuse,
    sha256,
    text_of,
    whole,
)


class ProvenCall(NamedTuple):
    """What a valid receipt proves."""

    #: The fields of the audit row.
    leaf: Dict[str, Any]
    #: When it was signed at the latest, in epoch milliseconds.
    signed_at: int
    key_id: str
    #: Whether the request, and the reply of a success, were given and are those of the call.
    content_matches: bool


_RECEIPT = ("quantd_receipt", "leaf", "index", "path", "group", "way", "checkpoint", "signatures")


def verify_receipt(
    receipt: Union[str, bytes, Mapping[str, Any]],
    keys: Union[str, bytes, Mapping[str, Any], Sequence[Mapping[str, Any]]],
    *,
    request: Optional[Bytes] = None,
    reply: Optional[Bytes] = None,
) -> ProvenCall:
    """Checks a receipt of a call, or the reply with it. Raises InvalidReceiptError.

    `keys` is what /.well-known/quantd-keys.json replied before, its `data`, or the list in it: a key from elsewhere
    proves nothing. `request` is the body as it was sent, `reply` the reply as it was received, or its `data`: both or
    neither for a success, and no reply for a failure, whose reply no receipt proves. Needs the package `cryptography` (the extra `receipts`).
    """
    return _call(opened(receipt), _published(keys), request, reply)


def _published(given: Any) -> Sequence[Mapping[str, Any]]:
    keys = given if isinstance(given, (list, tuple)) else opened(given).get("keys")
    return keys if isinstance(keys, (list, tuple)) else fail("the given keys have no list of keys")


def _call(
    value: Mapping[str, Any], keys: Sequence[Mapping[str, Any]], request: Optional[Bytes], reply: Optional[Bytes]
) -> ProvenCall:
    if whole(value.get("quantd_receipt")) != 1:
        fail("it is no receipt of version 1")
    members(value, "it", _RECEIPT)
    checkpoint = fields(value["checkpoint"], "checkpoint")
    _check_signatures(checkpoint, value["signatures"], keys)
    row = fields(value["leaf"], "leaf")
    group = members(value["group"], "group", ("at", "leaves", "number", "previous", "stream"))
    number, leaves = whole(group["number"]), whole(group["leaves"])
    entry = _entry(checkpoint, group["stream"], number)
    first, last = whole(entry["first"]), whole(entry["last"])
    root = climb(leaf_hash(text_of(row)), whole(value["index"]), leaves, value["path"])
    hash_of(group["previous"])
    link = leaf_hash(text_of({**group, "root": root}))
    top = climb(link, number - first, last - first + 1, value["way"])
    # The root decides; the other two are parts of a checkpoint that no service makes.
    if top != hash_of(entry.get("root")) or row.get("at") != group["at"] or (number == last and link != entry.get("head")):
        fail("it was altered: the row, the group or a hash is not the one that was signed")
    matches = _check_content(row, request, reply)
    return ProvenCall(dict(row), whole(checkpoint.get("at")), str(checkpoint.get("key")), matches)


def _entry(checkpoint: Mapping[str, Any], stream: Any, number: int) -> Mapping[str, Any]:
    streams = checkpoint.get("streams")
    for entry in streams if isinstance(streams, list) else []:
        own = fields(entry, "a stream")
        if own.get("stream") == stream and whole(own.get("first")) <= number <= whole(own.get("last")):
            return own
    fail("the checkpoint does not mention the group")


def _check_signatures(checkpoint: Mapping[str, Any], signatures: Any, keys: Sequence[Mapping[str, Any]]) -> None:
    """A checkpoint is signed by its key, at a rotation also by the next one; nothing would check another signature."""
    names = [checkpoint.get("key")] + ([checkpoint["next_key"]] if "next_key" in checkpoint else [])
    listed: List[Any] = signatures if isinstance(signatures, list) else []
    given = [members(one, "a signature", ("key", "signature")) for one in listed]
    if len(given) > len(names):
        fail("it has a signature that is not of its checkpoint")
    for name in names:
        key = next((one for one in keys if one.get("id") == name), None)
        if key is None:
            fail(f"the key {name} is not among the given ones")
        own = next((one for one in given if one["key"] == name), None)
        if own is None:
            fail("the signature is missing")
        _check_signature(checkpoint, own["signature"], key)


def _check_signature(checkpoint: Mapping[str, Any], signature: Any, key: Mapping[str, Any]) -> None:
    public = from_base64(key.get("public_key"), PUBLIC_KEY)
    if key.get("algorithm") != "Ed25519" or sha256(public)[:16] != key.get("id"):
        fail("a given key is malformed")
    if _has_small_order(public):
        fail("a given key has a small order, so that anybody can sign by it")
    at, until = whole(checkpoint.get("at")), key.get("until")
    if at < whole(key.get("from")) or (until is not None and at > whole(until)):
        fail("the key did not sign at this time")
    if not _is_signed(public, from_base64(signature, SIGNATURE), text_of(checkpoint)):
        fail("it was altered: the signature is not one of its checkpoint")


def _has_small_order(public: bytes) -> bool:
    """Whether the order of the key's point divides 8 (docs/receipts.md, "Keys")."""
    # The highest bit is the sign of x.
    y = int.from_bytes(public, "little") % 2**255
    square = y * y
    return y * (square - 1) * (121666 * (2 * square - 1) - 121665 * square * square) % (2**255 - 19) == 0


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
    """The row has one digest: over request and result of a success, over the request of a failure."""
    if request is None and reply is None:
        return False
    is_success = row.get("status") == 200
    if not is_success and reply is not None:
        refuse("The receipt of a failed call proves no reply: give the request alone.")
    if request is None or (is_success and reply is None):
        refuse("Request and reply can be checked together only: give both, or neither.")
    data = b"" if reply is None else data_of(as_bytes(reply))
    # The rows of a development version may have 64 further digits.
    if content_of(as_bytes(request), data) != str(row.get("content"))[:64]:
        fail(f"the request{' or the reply' if is_success else ''} is not that of the call")
    return True
