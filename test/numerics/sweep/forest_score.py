"""Scores and attributions by fitted isolation forests, in 120 bits, for texts of the second encoder, some of them damaged."""
from gmpy2 import mpfr, mpq

from exact import ULP, context, verdict
from forest import Leaf, average_path, draw_forest
from forest_fit import grown, mean_paths, read, rows_of, scores_of, text_of

PATH = '/quantlib/ml/clustering/isolation-forest/score'
GRID = 2 ** 36


def rows_below(node):
    return node.rows if isinstance(node, Leaf) else rows_below(node[2]) + rows_below(node[3])


def attributions(row, trees, arithmetic=float):
    """
    The tests of a path share its length by how much each shortened the path to be expected, in whole multiples of the grid; the
    last one has the rest. In doubles it is the declared rounding; in fractions the exact division.
    """
    shares = [mpq(0)] * len(row)
    for node in trees:
        tests = []
        while not isinstance(node, Leaf):
            column, split, left, right = node
            child = left if row[column] <= split else right
            tests.append((column, average_path(rows_below(node)) - average_path(rows_below(child))))
            node = child
        rest, total = mpq(node.path), sum(gain for _, gain in tests)
        for column, gain in (tests or [(column, None) for column in range(len(row))])[:-1]:
            length = arithmetic(node.path)
            share = length / len(row) if gain is None else length * arithmetic(gain) / arithmetic(total)
            share = mpq(int(share * GRID), GRID) if arithmetic is float else share
            shares[column] += share
            rest -= share
        shares[tests[-1][0] if tests else -1] += rest
    return [share / len(trees) for share in shares]


def judge(given, output, refused):
    context.precision = 120
    try:
        columns, size, trees, threshold = read(given['model'])
    except Exception as fault:
        return dict(refused=True) if refused else dict(wrong='answered, but ' + repr(fault))
    if columns != len(given['X'][0]):
        return dict(refused=True) if refused else dict(wrong='other columns')
    if refused:
        return dict(wrong='refused: ' + refused)
    scores = scores_of(given['X'], size, trees)
    pairs = [(got, score, mpfr('1e-14') * score) for got, score in zip(output['anomaly_scores'], scores)]
    if output['predictions'] != [-1 if score > threshold else 1 for score in output['anomaly_scores']]:
        return dict(wrong='other predictions')
    if len(pairs) != len(given['X']) or ('attributions' in output) != given['attributions']:
        return dict(wrong='other fields or rows')
    for row, got, mean in zip(given['X'], output.get('attributions', []), mean_paths(given['X'], trees)):
        pairs += [(one, mpfr(share), ULP * abs(share)) for one, share in zip(got, attributions(row, trees), strict=True)]
        pairs.append((sum(map(mpq, got)), mpq(mean), mpfr('1e-12')))
    return verdict(pairs)


def draw(draw):
    given = dict(draw_forest(draw), max_samples=draw.whole(2, 60))
    forest, trees = grown(given)
    text = text_of(len(given['X'][0]), forest.size, trees, draw.fraction())
    rows = [draw.pick(*given['X']) for _ in range(draw.whole(1, 20))]
    rows += [[draw.any_number() for _ in rows[0]] for _ in range(draw.whole(0, 10))]
    if draw.likely(0.2):
        at = draw.whole(0, len(text) - 1)
        text = text[:at] + draw.pick(*'AZaz09-_+', '') + text[at + 1:]
    if draw.likely(0.05):
        rows = [row + [1] for row in rows]
    return dict(model=text, X=rows, attributions=draw.likely(0.6))


def exact(given):
    context.precision = 120
    _, size, trees, threshold = read(given['model'])
    scores = scores_of(given['X'], size, trees)
    parts = [attributions(row, trees) for row in given['X']]
    for row, shares, mean in zip(given['X'], parts, mean_paths(given['X'], trees)):
        assert abs(sum(shares) - mpq(mean)) <= mpq(1, 2 ** 100)
        assert all(abs(a - b) <= mpq(30, GRID) for a, b in zip(shares, attributions(row, trees, mpq)))
    return dict(anomaly_scores=scores, predictions=[-1 if score > threshold else 1 for score in scores],
                attributions=[[mpfr(share) for share in row] for row in parts])


def fitted(**given):
    forest, trees = grown(given)
    return text_of(len(given['X'][0]), forest.size, trees, 0.6)


SWEEPS = [dict(path=PATH, points=80, draw=draw, judge=judge,
               text='forests of isolation forest fit, rows of any size, attributions; damaged texts and other columns')]

VECTORS = dict(
    path=PATH, exact=exact, rel_tol=1e-14,
    about='Anomaly scores, predictions and attributions by fitted isolation forests',
    source='a second implementation of the forest and of its text, in 120 bits (test/numerics/sweep/forest_score.py)',
    cases=[
        *[('clouds_%d' % seed, 'clouds', dict(model=fitted(X=rows_of(seed, 40, columns), n_trees=6, max_samples=32, random_state=seed),
                                              X=rows_of(seed + 50, 8, columns) + rows_of(seed, 4, columns), attributions=True))
          for seed, columns in ((1, 1), (2, 2), (3, 3), (4, 7))],
        ('other_rows', 'clouds', dict(model=fitted(X=rows_of(9, 60, 2), n_trees=8, max_samples=60),
                                      X=[[1e308, -1e308], [0, 0], [5e-324, 4]], attributions=True)),
        ('one_row', 'edges', dict(model=fitted(X=[[1, 2]], n_trees=3), X=[[1, 2], [3, 4]], attributions=True)),
        ('constant', 'edges', dict(model=fitted(X=[[1, 2]] * 9, n_trees=3), X=[[1, 2], [3, 4]], attributions=True)),
    ],
)
