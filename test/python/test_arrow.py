"""Streams of Arrow record batches: the client's writer and reader."""
import math
import random
import struct
import unittest

from quantd import arrow
from quantd.flatbuffer import Table


class Streams(unittest.TestCase):
    def test_numbers_come_back_with_their_bits_and_scalars_as_they_are(self):
        draw = random.Random(1)
        for rows in (1, 2, 7, 8, 9, 63, 64, 65, 1000):
            doubles = [draw.choice((-0.0, 5e-324, 1.7e308, draw.gauss(0, 1))) for _ in range(rows)]
            whole = [draw.randrange(-(2**53) + 1, 2**53) for _ in range(rows)]
            words = [draw.choice(("call", "put", "", "ü")) for _ in range(rows)]
            scalars = {"rate": 0.1, "name": "é" * rows}
            raw = arrow.encode({"doubles": doubles, "words": words, "whole": whole}, scalars)
            self.assertEqual(len(raw) % 8, 0)
            found, columns = arrow.decode(raw)
            self.assertEqual(found, scalars)
            # The client reads no texts.
            self.assertEqual(set(columns), {"doubles", "whole"})
            self.assertEqual([one.hex() for one in columns["doubles"]], [one.hex() for one in doubles])
            self.assertEqual(columns["whole"], whole)

    def test_the_same_content_has_the_same_bytes(self):
        first, second = (arrow.encode({"x": [1.0, 2.5]}, {"y": 1}) for _ in range(2))
        self.assertEqual(first, second)
        self.assertNotEqual(first, arrow.encode({"x": [1.0, 2.5]}, {"y": 2}))

    def test_integers_and_floats_in_one_column_are_floats(self):
        _, columns = arrow.decode(arrow.encode({"x": [1, 2.5, 2**60]}, {}))
        self.assertEqual(columns["x"], [1.0, 2.5, float(2**60)])
        self.assertEqual({type(one) for one in columns["x"]}, {float})

    def test_numbers_beside_words_are_refused(self):
        with self.assertRaisesRegex(TypeError, "option_type has both numbers and strings"):
            arrow.encode({"option_type": ["call", 1.5]}, {})

    def test_what_is_written_is_the_format_of_arrow(self):
        """By the offsets of Message.fbs and Schema.fbs: a schema, a record batch, the end."""
        raw = arrow.encode({"x": [1.5, math.pi]}, {})
        kinds, at = [], 0
        while raw[at : at + 8] != b"\xff\xff\xff\xff\0\0\0\0":
            self.assertEqual(raw[at : at + 4], b"\xff\xff\xff\xff")
            (length,) = struct.unpack_from("<I", raw, at + 4)
            self.assertEqual((at + 8 + length) % 8, 0)
            message = Table.root(raw[at + 8 : at + 8 + length])
            self.assertEqual(message.number(0, "h"), 4)
            kinds.append(message.number(1, "B"))
            at += 8 + length + message.number(3, "q")
        self.assertEqual((kinds, at + 8), ([1, 3], len(raw)))
        batch = message.table(2)
        self.assertEqual((batch.number(0, "q"), batch.pairs(1)), (2, [(2, 0)]))
        self.assertEqual(batch.pairs(2), [(0, 0), (0, 16)])
        self.assertEqual(struct.unpack("<2d", raw[-24:-8]), (1.5, math.pi))
