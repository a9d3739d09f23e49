"""An isolation forest written from the paper and the description of the generator, with trees of nested tuples."""
from functools import cache

import gmpy2
from gmpy2 import mpfr

from exact import context

MASK = 0xffffffff
SAMPLE, MOST_FAILURES = 256, 8


class Generator:
    """xoshiro128** seeded by two splitmix32 sequences."""

    def __init__(self, seed):
        low, high = splitmix(seed & MASK), splitmix(((seed >> 32) & MASK) ^ 0x6a09e667)
        self.state = [next(low), next(low), next(high), next(high)]

    def word(self):
        a, b, c, d = self.state
        product = b * 5 & MASK
        result = ((product << 7 | product >> 25) & MASK) * 9 & MASK
        c ^= a
        d ^= b
        b2, a2 = b ^ c, a ^ d
        c ^= b << 9 & MASK
        self.state = [a2, b2, c, (d << 11 | d >> 21) & MASK]
        return result

    def below(self, bound):
        fair = 2 ** 32 - 2 ** 32 % bound
        while True:
            drawn = self.word()
            if drawn < fair:
                return drawn % bound

    def fraction(self):
        high = self.word() >> 5
        return (high * 2.0 ** 26 + (self.word() >> 6)) / 2.0 ** 53


def splitmix(state):
    while True:
        state = state + 0x9e3779b9 & MASK
        word = state ^ state >> 16
        word = word * 0x85ebca6b & MASK
        word ^= word >> 13
        word = word * 0xc2b2ae35 & MASK
        yield word ^ word >> 16


@cache
def average_path(n):
    """2H(n - 1) - 2(n - 1)/n in multiples of 2^-36."""
    if n < 2:
        return mpfr(0)
    exact = 2 * sum(mpfr(1) / k for k in range(1, n)) - mpfr(2 * (n - 1)) / n
    return gmpy2.floor(exact * 2 ** 36 + mpfr(1) / 2) / 2 ** 36


class Leaf:
    def __init__(self, level, rows, paths):
        self.level, self.rows, self.path = level, rows, level + paths[rows]


class Forest:
    def __init__(self, rows, seed, samples=SAMPLE):
        self.rows, self.random = rows, Generator(seed)
        self.size = min(samples, len(rows))
        self.depth = (self.size - 1).bit_length()
        self.order = list(range(len(rows)))
        self.columns = [c for c in range(len(rows[0])) if len({row[c] + 0.0 for row in rows}) > 1]
        self.paths = [average_path(n) for n in range(self.size + 1)]

    def tree(self):
        for place in range(self.size):
            other = place + self.random.below(len(self.order) - place)
            self.order[other], self.order[place] = self.order[place], self.order[other]
        return self.node(0, self.size, 0, len(self.columns))

    def node(self, start, end, level, candidates):
        order, columns, rows, failures = self.order, self.columns, self.rows, 0
        inside = order[start:end]
        while level < self.depth and end - start > 1 and candidates > 0:
            if failures == MOST_FAILURES:
                candidates = self.varying(inside, candidates)
                if candidates == 0:
                    break
            place = self.random.below(candidates)
            column = columns[place]
            low, high = min(rows[i][column] for i in inside), max(rows[i][column] for i in inside)
            if low < high:
                fraction = self.random.fraction()
                split = low * (1 - fraction) + high * fraction
                if not low <= split < high:
                    split = low
                middle = start
                for i in range(start, end):
                    if rows[order[i]][column] <= split:
                        order[i], order[middle] = order[middle], order[i]
                        middle += 1
                left = self.node(start, middle, level + 1, candidates)
                return column, split, left, self.node(middle, end, level + 1, candidates)
            candidates -= 1
            failures += 1
            columns[place], columns[candidates] = columns[candidates], columns[place]
        return Leaf(level, end - start, self.paths)

    def varying(self, inside, candidates):
        """The columns that vary in the node come first, in the order in which rows after the first show it."""
        first, columns, varying = self.rows[inside[0]], self.columns, 0
        for row in (self.rows[i] for i in inside[1:]):
            if varying >= candidates:
                break
            if row == first:
                continue
            for place in range(varying, candidates):
                if row[columns[place]] != first[columns[place]]:
                    columns[place], columns[varying] = columns[varying], columns[place]
                    varying += 1
        return varying


def descend(node, row):
    while isinstance(node, tuple):
        column, split, left, right = node
        node = left if row[column] <= split else right
    return node.path


def judge_forest(given, output, refused):
    if refused:
        return dict(wrong='refused: ' + refused)
    context.precision = 120
    rows = given['X']
    scores, threshold = output['anomaly_scores'], output['threshold']
    if len(rows) == 1:
        return dict(share=0, error=0) if scores == [0.5] and output['predictions'] == [1] else dict(wrong='one row')
    forest = Forest(rows, given['random_state'])
    trees = [forest.tree() for _ in range(given['n_trees'])]
    worst = 0.0
    for row, score in zip(rows, scores):
        mean = sum((descend(tree, row) for tree in trees), mpfr(0)) / len(trees)
        exact = mpfr(2) ** (-mean / forest.paths[forest.size])
        worst = max(worst, float(abs(score / exact - 1)))
    if worst > 1e-10:
        return dict(share=worst / 1e-12, error=worst)
    wanted = round_half_up(given['contamination'] * len(rows))
    ordered = sorted(scores, reverse=True)
    # Rows tied with the first row that is not to be flagged are normal.
    below = ordered[wanted] if wanted < len(ordered) else -1
    flags = [-1 if wanted > 0 and score > below else 1 for score in scores]
    if flags != output['predictions'] or flags != [-1 if score > threshold else 1 for score in scores]:
        return dict(wrong='other predictions')
    return dict(share=worst / 1e-12, error=worst)


def round_half_up(value):
    return int(gmpy2.floor(mpfr(value) + mpfr('0.5')))


def draw_forest(draw):
    wide = [[draw.between(1, 2) if column % 30 == row else 0 for column in range(40)] for row in range(30)]
    table = draw.table(400, 3) if draw.likely(0.1) else draw.table(40, 6)
    return dict(X=wide if draw.likely(0.2) else table, n_trees=draw.whole(1, 12),
                contamination=draw.pick(0, 0.5) if draw.likely(0.2) else draw.between(0, 0.5),
                random_state=draw.pick(1 - 2 ** 53, -1, 0, 2 ** 53 - 1) if draw.likely(0.2) else draw.whole(0, 2 ** 40))


SWEEPS = [
    dict(path='/quantlib/ml/clustering/isolation-forest', points=60, draw=draw_forest, judge=judge_forest,
         text='up to 400 rows and 40 columns of numbers of any size, up to 12 trees, any seed, against a second implementation'),
]
