"""Fitted isolation forests: an encoder and a decoder of their texts written from the description of the format, and a judge."""
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from zlib import crc32

from gmpy2 import mpfr

from exact import context
from forest import Forest, Leaf, average_path, descend, draw_forest, round_half_up

PATH = '/quantlib/ml/clustering/isolation-forest/fit'


def grown(given):
    context.precision = 120
    forest = Forest(given['X'], given.get('random_state', 0), given.get('max_samples', 256))
    return forest, [forest.tree() for _ in range(given.get('n_trees', 100))]


def counted(number):
    """Seven bits a byte, the low ones first."""
    return bytes([number]) if number < 128 else bytes([number % 128 + 128]) + counted(number // 128)


def node_bytes(node):
    if isinstance(node, Leaf):
        return b'\0' + counted(node.rows)
    column, split, left, right = node
    return counted(column + 1) + struct.pack('<d', split) + node_bytes(left) + node_bytes(right)


def sealed(head):
    return urlsafe_b64encode(head + struct.pack('<I', crc32(head))).decode().rstrip('=')


def text_of(columns, size, trees, threshold):
    return sealed(b'QIF\1' + struct.pack('<HHId', columns, len(trees), size, threshold) + b''.join(map(node_bytes, trees)))


def read(text):
    """Columns, rows of a sample, trees and threshold."""
    data = urlsafe_b64decode(text + '=' * (-len(text) % 4))
    assert data[:4] == b'QIF\1' and crc32(data[:-4]) == struct.unpack('<I', data[-4:])[0]
    columns, count, size, threshold = struct.unpack('<HHId', data[4:20])
    paths, at = [average_path(n) for n in range(size + 1)], 20

    def number():
        nonlocal at
        total, shift = 0, 0
        while True:
            total, shift, at = total + (data[at] % 128 << shift), shift + 7, at + 1
            if data[at - 1] < 128:
                return total

    def node(level):
        nonlocal at
        column = number()
        if column == 0:
            return Leaf(level, number(), paths)
        split, at = struct.unpack('<d', data[at:at + 8])[0], at + 8
        left = node(level + 1)
        return column - 1, split, left, node(level + 1)

    trees = [node(0) for _ in range(count)]
    assert at == len(data) - 4
    return columns, size, trees, threshold


def mean_paths(rows, trees):
    return [sum((descend(tree, row) for tree in trees), mpfr(0)) / len(trees) for row in rows]


def scores_of(rows, size, trees):
    typical = average_path(size)
    return [mpfr(2) ** (-path / typical) if size > 1 else mpfr('0.5') for path in mean_paths(rows, trees)]


def flagged(scores, contamination):
    """Whether each row is among the highest round(contamination · rows) scores and not tied with the first below them."""
    wanted = round_half_up(contamination * len(scores))
    ordered = sorted(scores, reverse=True)
    return [0 < wanted < len(scores) and score > ordered[wanted] for score in scores]


def judge(given, output, refused):
    if refused:
        return dict(wrong='refused: ' + refused)
    forest, trees = grown(given)
    text, threshold = output['model'], output['threshold']
    if text != text_of(len(given['X'][0]), forest.size, trees, threshold):
        return dict(wrong='another text')
    if output['n_features'] != len(given['X'][0]):
        return dict(wrong='another number of columns')
    scores = scores_of(given['X'], *read(text)[1:3])
    # Scores that are not equal differ by the grid of path lengths, far more than their rounding.
    if [score > threshold + 1e-15 for score in scores] != flagged(scores, given['contamination']):
        return dict(wrong='the threshold divides other rows')
    return dict(share=0, error=0)


def draw(draw):
    given = draw_forest(draw)
    return dict(given, max_samples=draw.pick(2, 3, 256, 65536) if draw.likely(0.4) else draw.whole(2, 50))


def exact(given):
    """Twice: by growing, and by reading the text back."""
    forest, trees = grown(given)
    scores = scores_of(given['X'], forest.size, trees)
    found = flagged(scores, given.get('contamination', 0.1))
    inside, outside = [s for s, f in zip(scores, found) if f], [s for s, f in zip(scores, found) if not f]
    low = float(max(outside))
    higher = [float(s) for s in inside] or [1.0]
    threshold = (low + min(higher)) / 2 if inside else 1.0
    text = text_of(len(given['X'][0]), forest.size, trees, threshold)
    columns, size, again, _ = read(text)
    assert scores_of(given['X'], size, again) == scores and columns == len(given['X'][0])
    return dict(n_features=mpfr(columns), threshold=mpfr(threshold))


def rows_of(seed, count, columns):
    """By a multiplicative generator (Lehmer); the last row lies apart."""
    state, rows = seed, []
    for _ in range(count):
        row = []
        for _ in range(columns):
            state = state * 48271 % 2147483647
            row.append(round(state / 2147483647 * 4, 3))
        rows.append(row)
    return rows + [[9 + column for column in range(columns)]]


SWEEPS = [dict(path=PATH, points=60, draw=draw, judge=judge,
               text='as isolation forest, samples of 2…65,536 rows: the text is that of a second implementation, byte for byte')]

VECTORS = dict(
    path=PATH, exact=exact, rel_tol=1e-12,
    about='Threshold and columns of fitted isolation forests',
    source='a second implementation of the forest and of its text, read back (test/numerics/sweep/forest_fit.py)',
    cases=[
        *[('clouds_%d' % seed, 'clouds', dict(X=rows_of(seed, 30 + 5 * seed, 2), n_trees=10 * seed, random_state=seed, contamination=0.05))
          for seed in (1, 2, 3)],
        *[('samples_%d' % size, 'samples', dict(X=rows_of(7, 40, 3), n_trees=5, max_samples=size)) for size in (2, 16, 41, 65536)],
        ('one_row', 'edges', dict(X=[[1, 2]], n_trees=3)),
        ('constant', 'edges', dict(X=[[1, 2]] * 9, n_trees=3, contamination=0.5)),
    ],
)
