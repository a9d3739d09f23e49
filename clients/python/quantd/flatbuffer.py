"""Flatbuffers, the encoding of Arrow's metadata: as much of a writer and a reader as the client needs."""
from __future__ import annotations

import struct
from typing import Any, Callable, Iterator, Optional, Sequence, Tuple, Union

#: A field of a table: absent, a number in a format of `struct`, or the function that writes what the field refers to.
Slot = Union[None, Tuple[str, int], Callable[["Writer"], int]]


class Writer:
    """Writes parents before their children, as offsets point forward; a write returns the place."""

    def __init__(self) -> None:
        self._bytes = bytearray(8)

    def finish(self, root: Callable[[Writer], int]) -> bytes:
        self._refer(0, root)
        self._align(8)
        return bytes(self._bytes)

    def table(self, *slots: Slot) -> int:
        offsets, size = [], 4
        for slot in slots:
            width = 0 if slot is None else 4 if callable(slot) else struct.calcsize("<" + slot[0])
            size += -size % max(1, width)
            offsets.append(size if width else 0)
            size += width
        self._align(2)
        vtable = self._append(struct.pack(f"<{len(slots) + 2}H", 2 * len(slots) + 4, size, *offsets))
        self._align(8)
        table = self._append(bytes(size))
        struct.pack_into("<i", self._bytes, table, table - vtable)
        for slot, offset in zip(slots, offsets):
            if callable(slot):
                self._refer(table + offset, slot)
            elif slot is not None:
                struct.pack_into("<" + slot[0], self._bytes, table + offset, slot[1])
        return table

    def text(self, value: str) -> int:
        raw = value.encode()
        self._align(4)
        return self._append(struct.pack("<I", len(raw)) + raw + b"\0")

    def tables(self, items: Sequence[Callable[[Writer], int]]) -> int:
        self._align(4)
        vector = self._append(struct.pack("<I", len(items)) + bytes(4 * len(items)))
        for number, item in enumerate(items):
            self._refer(vector + 4 + 4 * number, item)
        return vector

    def pairs(self, items: Sequence[Tuple[int, int]]) -> int:
        """Structs of two int64 each, which are aligned to 8."""
        self._align(8, 4)
        flat = [number for pair in items for number in pair]
        return self._append(struct.pack(f"<I{len(flat)}q", len(items), *flat))

    def _refer(self, at: int, write: Callable[[Writer], int]) -> None:
        place = write(self)
        struct.pack_into("<I", self._bytes, at, place - at)

    def _align(self, to: int, head: int = 0) -> None:
        self._bytes.extend(bytes(-(len(self._bytes) + head) % to))

    def _append(self, raw: bytes) -> int:
        place = len(self._bytes)
        self._bytes.extend(raw)
        return place


class Table:
    """A table at a place of a buffer. Fields have default values where they are absent."""

    def __init__(self, raw: bytes, at: int) -> None:
        self._raw, self._at = raw, at

    @classmethod
    def root(cls, raw: bytes) -> Table:
        return cls(raw, _read(raw, "I", 0))

    def number(self, slot: int, form: str) -> int:
        place = self._place(slot)
        return 0 if place is None else _read(self._raw, form, place)

    def table(self, slot: int) -> Optional[Table]:
        place = self._place(slot)
        return None if place is None else Table(self._raw, place + _read(self._raw, "I", place))

    def text(self, slot: int) -> str:
        start, length = self._vector(slot)
        return self._raw[start : start + length].decode()

    def tables(self, slot: int) -> Iterator[Table]:
        start, length = self._vector(slot)
        for place in range(start, start + 4 * length, 4):
            yield Table(self._raw, place + _read(self._raw, "I", place))

    def pairs(self, slot: int) -> Sequence[Tuple[int, int]]:
        start, length = self._vector(slot)
        flat: Sequence[Any] = struct.unpack_from(f"<{2 * length}q", self._raw, start)
        return list(zip(flat[::2], flat[1::2]))

    def _place(self, slot: int) -> Optional[int]:
        vtable = self._at - _read(self._raw, "i", self._at)
        entry = 4 + 2 * slot
        offset = _read(self._raw, "H", vtable + entry) if entry < _read(self._raw, "H", vtable) else 0
        return None if offset == 0 else self._at + offset

    def _vector(self, slot: int) -> Tuple[int, int]:
        """The place of the first item, and the number of items."""
        place = self._place(slot)
        if place is None:
            return 0, 0
        vector = place + _read(self._raw, "I", place)
        return vector + 4, _read(self._raw, "I", vector)


def _read(raw: bytes, form: str, at: int) -> int:
    (value,) = struct.unpack_from("<" + form, raw, at)
    return int(value)
