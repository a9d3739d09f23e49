"""A verifier written from docs/receipts.md alone: reads cases as JSON from standard input, prints their outcomes.

A case is {"receipt", "keys", "request", "reply"}; the last two are texts or null. An outcome is null, or why it is refused.
"""
import base64
import hashlib
import json
import math
import struct
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def jcs(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def sha(data):
    return hashlib.sha256(data).digest()


def leaf(value):
    return sha(b"\x00" + jcs(value))


def node(left, right):
    return sha(b"\x01" + left + right)


def root_from(index, size, steps, start):
    """Recursive form of an audit path: the last step joins the two halves at the largest power of two below the size."""
    if size == 1:
        assert steps == [], "a path is too long"
        return start
    assert steps, "a path is too short"
    half = 1
    while half * 2 < size:
        half *= 2
    other = bytes.fromhex(steps[-1])
    assert len(other) == 32, "a hash is malformed"
    if index < half:
        return node(root_from(index, half, steps[:-1], start), other)
    return node(other, root_from(index - half, size - half, steps[:-1], start))


def b64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify(receipt, keys, request, reply):
    assert receipt["quantd_receipt"] == 1, "version"
    row, group, checkpoint = receipt["leaf"], receipt["group"], receipt["checkpoint"]
    assert row["at"] == group["at"], "times"
    assert 0 <= receipt["index"] < group["leaves"], "index"
    root = root_from(receipt["index"], group["leaves"], receipt["path"], leaf(row))
    link = leaf({**{name: group[name] for name in ("at", "leaves", "number", "previous", "stream")}, "root": root.hex()})
    entries = [
        entry
        for entry in checkpoint["streams"]
        if entry["stream"] == group["stream"] and entry["first"] <= group["number"] <= entry["last"]
    ]
    assert entries, "no entry"
    entry = entries[0]
    if group["number"] == entry["last"]:
        assert entry["head"] == link.hex(), "head"
    size = entry["last"] - entry["first"] + 1
    assert root_from(group["number"] - entry["first"], size, receipt["way"], link).hex() == entry["root"], "root"
    key = next(one for one in keys if one["id"] == checkpoint["key"])
    public = b64(key["public_key"])
    assert sha(public).hex()[:16] == key["id"], "key id"
    assert key["from"] <= checkpoint["at"], "too early"
    assert key["until"] is None or checkpoint["at"] <= key["until"], "too late"
    signature = next(one["signature"] for one in receipt["signatures"] if one["key"] == key["id"])
    Ed25519PublicKey.from_public_bytes(public).verify(b64(signature), jcs(checkpoint))
    if request is None:
        return
    head = '{"success":true,"data":'
    data = "" if row["status"] != 200 else reply[len(head) : -1] if reply.startswith(head) else reply
    content = leaf({"data": sha(data.encode()).hex(), "request": sha(request.encode()).hex()})
    assert row["content"][:64] == content.hex(), "content"


def number(value):
    return math.nan if value is None or not math.isfinite(value) else float(value) + 0.0


def encoded(kind, given, rows):
    if kind in ("number", "text"):
        given, rows = [given], 1
    assert len(given) == rows, "rows"
    if kind in ("number", "numbers"):
        return b"".join(struct.pack("<d", number(one)) for one in given)
    assert kind in ("text", "texts"), "kind"
    assert all(one is None or isinstance(one, str) for one in given), "texts"
    return b"".join(jcs(one) for one in given)


def side(kinds, given, rows):
    if isinstance(kinds, int):
        assert len(given.encode()) == kinds and len(json.loads("[" + given + "]")) == rows, "texts of the calls"
        return given.encode()
    return b"".join(encoded(kinds[name], given[name], rows) for name in sorted(kinds))


def verify_row(file, keys, request, reply):
    assert file["quantd_row_receipt"] == 1, "version"
    verify(file["receipt"], keys, request, reply)
    head, content = file["head"], file["receipt"]["leaf"]["content"]
    assert len(content) == 128, "no rows"
    size = 1
    while -(-head["count"] // size) > 1024:
        size *= 2
    index = file["row"] // size
    assert 0 <= file["row"] < head["count"], "row"
    assert head["first"] == index * size and head["rows"] == min(size, head["count"] - index * size), "place"
    values = [side(head[name], file[name], head["rows"]) for name in ("request", "result")]
    own = sha(b"\x00" + jcs(head) + b"".join(values))
    assert root_from(index, -(-head["count"] // size), file["path"], own).hex() == content[64:], "rows"


def outcome(case):
    try:
        check = verify_row if "quantd_row_receipt" in case["receipt"] else verify
        check(case["receipt"], case["keys"], case["request"], case["reply"])
    except (AssertionError, InvalidSignature, StopIteration, KeyError, TypeError, ValueError, AttributeError) as error:
        return f"{type(error).__name__} {error}"
    return None


print(json.dumps([outcome(case) for case in json.load(sys.stdin)]))
