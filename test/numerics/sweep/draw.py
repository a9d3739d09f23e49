"""The numbers that a sweep draws: a seed repeats them."""
import math
import random
import sys

MAX = sys.float_info.max


class Draw:
    def __init__(self, seed):
        self.fraction = random.Random(seed).random

    def between(self, low, high):
        return low + (high - low) * self.fraction()

    def decades(self, low, high):
        return math.exp(self.between(math.log(low), math.log(high)))

    def whole(self, low, high):
        return math.floor(self.between(low, high + 1))

    def pick(self, *items):
        return items[self.whole(0, len(items) - 1)]

    def sign(self):
        return self.pick(-1, 1)

    def likely(self, probability):
        return self.fraction() < probability

    def any_positive(self):
        """Any double: bits at random, or one of the ends of the range."""
        if self.likely(0.1):
            return self.pick(5e-324, 2.2e-308, 1e-200, 1, 1e200, MAX)
        return self.decades(1e-300, 1e300)

    def any_size(self):
        """Of any size that a double can have, the subnormal ones included."""
        return max(5e-324, self.decades(5e-324, MAX))

    def any_number(self):
        return 0 if self.likely(0.05) else self.sign() * self.any_positive()

    def column(self, rows):
        scale = self.any_positive() if self.likely(0.3) else self.decades(1e-3, 1e3)
        offset = self.sign() * scale * self.decades(1, 1e14) if self.likely(0.3) else 0
        few = self.whole(1, 4) if self.likely(0.3) else rows
        values = [bounded(offset + scale * (self.between(-50, 50) if self.likely(0.05) else self.between(-1, 1)))
                  for _ in range(min(few, rows))]
        return [values[row % len(values)] if self.likely(0.5) else self.pick(*values) for row in range(rows)]

    def table(self, most_rows, most_columns):
        rows = self.whole(1, most_rows)
        columns = [self.column(rows) for _ in range(self.whole(1, most_columns))]
        return [[values[row] for values in columns] for row in range(rows)]


def bounded(value):
    return max(-MAX, min(0 if math.isnan(value) else value, MAX))
