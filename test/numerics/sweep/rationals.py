"""Discrimination, migration and outliers in rational arithmetic."""
from bisect import bisect_left, bisect_right

import gmpy2
from gmpy2 import mpfr, mpq

from exact import LEAST_NORMAL, SMALLEST, context, verdict

UNIT = mpfr(2) ** -53
"""Distances this close to a limit are not judged."""
CLOSE = mpq(1, 10 ** 9)


def judge_discrimination(given, output, refused):
    labels, scores = given['y_true'], given['y_score']
    bads = sorted(s for s, label in zip(scores, labels) if label == 1)
    goods = sorted(s for s, label in zip(scores, labels) if label == 0)
    if not bads or not goods:
        return dict(refused=True) if refused else dict(wrong='one class only')
    if refused:
        return dict(wrong='refused: ' + refused)
    wins = sum(mpq(bisect_left(goods, s) + bisect_right(goods, s), 2) for s in bads)
    auc = wins / (len(goods) * len(bads))
    gap = max(abs(mpq(bisect_right(goods, s), len(goods)) - mpq(bisect_right(bads, s), len(bads))) for s in set(scores))
    context.precision = 200
    exact = dict(auc_roc=auc, gini=2 * auc - 1, accuracy_ratio=2 * auc - 1, ks_statistic=gap)
    found = verdict([(output[name], mpfr(value), mpfr('4.6e-16')) for name, value in exact.items()])
    if 'error' in found:
        # Gini may be 0; errors are absolute here.
        found['error'] = max(float(abs(mpfr(output[name]) - mpfr(value))) for name, value in exact.items())
    return found


def judge_migration(given, output, refused):
    if refused:
        return dict(wrong='refused: ' + refused)
    counts, periods = given['transitions'], given['periods']
    n = len(counts)
    context.precision = 400
    base = []
    for i, row in enumerate(counts):
        total = sum(map(mpfr, row), mpfr(0))
        base.append([mpfr(c) / total for c in row] if total > 0 else [mpfr(i == j) for j in range(n)])
    power = base
    for bit in bin(periods)[3:]:
        power = product(power, power)
        if bit == '1':
            power = product(base, power)
    pairs = [(g, e, 2 * UNIT * e) for got, exact in zip(output['transition_matrix'], base) for g, e in zip(got, exact)]
    # Entries below 1e-290 are sums of products that may underflow.
    pairs += [(g, e, UNIT * (n + 4) * (periods + 1) * e + mpfr('1e-290'))
              for got, exact in zip(output['multi_period_matrix'], power) for g, e in zip(got, exact)]
    found = verdict(pairs)
    if 'error' in found:
        found['error'] = max([float(abs(mpfr(g) - e) / e) for g, e, _ in pairs if e > mpfr('1e-270')] or [0.0])
    return found


def product(a, b):
    columns = list(zip(*b))
    return [[sum((x * y for x, y in zip(row, column) if x and y), mpfr(0)) for column in columns] for row in a]


def judge_outliers(given, output, refused):
    if refused:
        return dict(wrong='refused: ' + refused)
    rows, method, threshold = given['X'], given['method'], mpq(given['threshold'])
    flags, close = [False] * len(rows), [False] * len(rows)
    for column in zip(*rows):
        values = [mpq(value) for value in column]
        for i, (distance, limit) in enumerate(RULES[method](values, threshold)):
            flags[i] = flags[i] or distance > limit * (1 + CLOSE)
            close[i] = close[i] or (limit > 0 and abs(distance - limit) <= limit * CLOSE)
    for i, (flag, near) in enumerate(zip(flags, close)):
        if output['outliers'][i] != flag and not near:
            return dict(wrong='row %d should be %s' % (i, flag))
    return dict(share=0, error=0)


def zscore(values, threshold):
    """Squares of the distances and of the limit; a constant column has neither."""
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / len(values)
    return [((v - mean) ** 2, threshold ** 2 * variance) for v in values]


def quantile(ordered, probability):
    place = (len(ordered) - 1) * probability
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def iqr(values, threshold):
    ordered = sorted(values)
    low, high = quantile(ordered, mpq(1, 4)), quantile(ordered, mpq(3, 4))
    return [(max(low - v, v - high), threshold * (high - low)) for v in values]


def mad(values, threshold):
    centre = quantile(sorted(values), mpq(1, 2))
    distances = [abs(v - centre) for v in values]
    spread = quantile(sorted(distances), mpq(1, 2))
    unit = spread / mpq('0.6745') if spread > 0 else mpq('1.253314') * sum(distances) / len(distances)
    return [(distance, threshold * unit) for distance in distances]


RULES = dict(zscore=zscore, iqr=iqr, mad=mad)


def draw_scores(draw):
    n = draw.whole(2, 300)
    levels = [draw.any_number() for _ in range(draw.whole(1, 5))] if draw.likely(0.3) else []
    score = lambda: draw.pick(*levels) if levels else draw.any_number() if draw.likely(0.5) else draw.between(-1, 1)
    return dict(y_true=[0, 1] + [draw.whole(0, 1) for _ in range(n - 2)], y_score=[score() for _ in range(n)])


def draw_table(draw):
    return dict(X=draw.table(60, 3), method=draw.pick('zscore', 'iqr', 'mad'),
                threshold=draw.any_positive() if draw.likely(0.1) else draw.between(0.1, 5))


def draw_transitions(draw):
    n = draw.whole(1, 8)
    scale = draw.any_positive() if draw.likely(0.2) else draw.decades(1e-3, 1e6)
    count = lambda: 0 if draw.likely(0.3) else scale * (draw.decades(1e-200, 1) if draw.likely(0.2) else draw.fraction())
    rows = [[0] * n if draw.likely(0.08) else [count() for _ in range(n)] for _ in range(n)]
    return dict(transitions=rows, periods=draw.whole(1, 10) if draw.likely(0.3) else round(draw.decades(1, 10000)))


SWEEPS = [
    dict(path='/quantlib/ml/credit/discrimination', points=200, draw=draw_scores, judge=judge_discrimination,
         text='2…300 scores of any size, with ties'),
    dict(path='/quantlib/ml/preprocessing/outliers', points=300, draw=draw_table, judge=judge_outliers,
         text='up to 60 × 3 numbers of any size, with ties, offsets up to 1e14 spreads, and constant columns; all methods'),
    dict(path='/quantlib/ml/credit/migration', points=100, draw=draw_transitions, judge=judge_migration,
         text='up to 8 ratings, counts 0 and 1e-300…1e300, 1…10,000 periods'),
]
