"""A verifier written from docs/receipts.md alone: reads cases as JSON from standard input, prints their outcomes.

A case is {"receipt", "keys", "request", "reply"}; the receipt is a value or a text, the last two are texts or null. An outcome
is null, or why it is refused.
"""
import base64
import hashlib
import json
import math
import re
import struct
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Once(dict):
    """An object of JSON that has no name twice."""

    def __init__(self, members):
        super().__init__(members)
        assert len(self) == len(members), "a name twice"


def no_constant(name):
    raise ValueError(name)


def whole_numbers(value):
    if isinstance(value, dict):
        return {name: whole_numbers(one) for name, one in value.items()}
    if isinstance(value, list):
        return [whole_numbers(one) for one in value]
    return int(value) if isinstance(value, float) and value == math.floor(value) else value


def has(value, *names):
    assert isinstance(value, dict) and set(value) == set(names), "members"


def whole(*values):
    assert all(type(value) is int and 0 <= value < 2**53 for value in values), "whole numbers"


def digest(text):
    assert re.fullmatch("[0-9a-f]{64}", text), "a digest"
    return bytes.fromhex(text)


def jcs(value):
    assert not isinstance(value, float)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def sha(data):
    return hashlib.sha256(data).digest()


def leaf(value):
    return sha(b"\x00" + jcs(value))


def part(data):
    return struct.pack(">H", len(data)) + data if len(data) <= 1024 else b"\xff\xff" + sha(data)


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
    other = digest(steps[-1])
    if index < half:
        return node(root_from(index, half, steps[:-1], start), other)
    return node(other, root_from(index - half, size - half, steps[:-1], start))


def b64(text):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    assert base64.urlsafe_b64encode(data).decode().rstrip("=") == text, "base64url"
    return data


P = 2**255 - 19
D = -121665 * pow(121666, -1, P)


def small_order(public):
    """Doubles the point three times. Only y and the square of x are needed (RFC 8032, section 5.1)."""
    y = int.from_bytes(public, "little") % 2**255 % P
    for _ in range(3):
        yy = y * y % P
        xx = (yy - 1) * pow(D * yy + 1, -1, P) % P
        y = (yy + xx) * pow(1 - D * xx * yy, -1, P) % P
    return y == 1


def verify(receipt, keys, request, reply):
    has(receipt, "quantd_receipt", "leaf", "index", "path", "group", "way", "checkpoint", "signatures")
    row, group, checkpoint = receipt["leaf"], receipt["group"], receipt["checkpoint"]
    has(group, "at", "leaves", "number", "previous", "stream")
    whole(receipt["quantd_receipt"], receipt["index"], group["at"], group["leaves"], group["number"], group["stream"])
    assert receipt["quantd_receipt"] == 1, "version"
    assert row["at"] == group["at"], "times"
    assert receipt["index"] < group["leaves"], "index"
    digest(group["previous"])
    root = root_from(receipt["index"], group["leaves"], receipt["path"], leaf(row))
    link = leaf({**group, "root": root.hex()})
    entries = [
        entry
        for entry in checkpoint["streams"]
        if entry["stream"] == group["stream"] and entry["first"] <= group["number"] <= entry["last"]
    ]
    assert entries, "no entry"
    entry = entries[0]
    whole(entry["first"], entry["last"])
    if group["number"] == entry["last"]:
        assert entry["head"] == link.hex(), "head"
    size = entry["last"] - entry["first"] + 1
    assert root_from(group["number"] - entry["first"], size, receipt["way"], link).hex() == entry["root"], "root"
    signers = [checkpoint["key"]] + ([checkpoint["next_key"]] if "next_key" in checkpoint else [])
    assert isinstance(receipt["signatures"], list) and len(receipt["signatures"]) == len(signers), "signatures"
    for one in receipt["signatures"]:
        has(one, "key", "signature")
    for signer in signers:
        key = next(one for one in keys if one["id"] == signer)
        assert key["algorithm"] == "Ed25519", "algorithm"
        public = b64(key["public_key"])
        assert sha(public).hex()[:16] == key["id"], "key id"
        assert not small_order(public), "small order"
        assert key["from"] <= checkpoint["at"], "too early"
        assert key["until"] is None or checkpoint["at"] <= key["until"], "too late"
        signature = next(one["signature"] for one in receipt["signatures"] if one["key"] == signer)
        Ed25519PublicKey.from_public_bytes(public).verify(b64(signature), jcs(checkpoint))
    if request is None and reply is None:
        return
    data = ""
    if row["status"] == 200:
        head = '{"success":true,"data":'
        data = reply[len(head) : -1] if reply.startswith(head) and reply.endswith("}") else reply
    else:
        assert reply is None, "a reply of a failure"
    content = sha(b"\x00" + part(request.encode()) + part(data.encode()))
    assert row["content"][:64] == content.hex(), "content"


def outcome(case):
    try:
        receipt = case["receipt"]
        if isinstance(receipt, str):
            receipt = json.loads(receipt.removeprefix("\ufeff"), object_pairs_hook=Once, parse_constant=no_constant)
        receipt = whole_numbers(receipt)
        if receipt.get("success") is True:
            has(receipt, "success", "data")
            receipt = receipt["data"]
        verify(receipt, case["keys"], case["request"], case["reply"])
    except Exception as error:  # Whatever cannot be read proves nothing.
        return f"{type(error).__name__} {error}"
    return None


print(json.dumps([outcome(case) for case in json.load(sys.stdin)]))
