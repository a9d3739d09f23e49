"""Score stability in fractions and 400 bits: its reference vectors, the inputs of its sweep, and their judge."""
from bisect import bisect_right

import gmpy2
from gmpy2 import mpfr, mpq

from equal_bins import equal_bins
from exact import ULP, context, verdict

PATH = '/quantlib/ml/credit/stability'
LEAST = mpq(1, 10000)


def rows_of(given, name):
    """(score, label, weight) of each row; without labels, 0."""
    scores = given[name]
    return list(zip(scores, given.get(name + '_y_true') or [0] * len(scores),
                    map(mpq, given.get(name + '_weights') or [1] * len(scores))))


def weight(rows):
    return sum((w for _, _, w in rows), mpq(0))


def bads(rows):
    return sum((y * w for _, y, w in rows), mpq(0))


def halfway(low, high):
    middle = low / 2 + high / 2
    return middle if middle > low else high


def bounds_of(given):
    """All bounds, and those of which a row counts half in both bins."""
    if given.get('edges'):
        return given['edges'], set()
    bins = equal_bins([(score, w) for score, _, w in rows_of(given, 'expected')], given.get('n_bins', 10))
    both = sorted({*given['expected'], *given['actual']})
    inner, shared = set(), set()
    for (values, own), (others, other) in zip(bins, bins[1:]):
        if not own and not other:
            bound = halfway(values[-1], others[0])
            inner.add(bound)
            if bound < others[0]:
                shared.add(bound)
    alone = {values[0] for values, own in bins if own}
    inner |= {halfway(low, high) for low, high in zip(both, both[1:]) if low in alone or high in alone}
    return [both[0], *sorted(inner), both[-1]], shared


def members(rows, bounds, shared):
    """The rows in each bin."""
    bins = [[] for _ in bounds[1:]]
    for score, label, own in rows:
        k = min(bisect_right(bounds, score), len(bounds) - 1) - 1
        if k > 0 and score == bounds[k] and score in shared:
            bins[k - 1].append((score, label, own / 2))
            own /= 2
        bins[k].append((score, label, own))
    return bins


def area(bins):
    """Share of pairs in which the defaulter is in the higher bin; a tie counts one half."""
    wins = goods = mpq(0)
    for one in bins:
        own = weight(one) - bads(one)
        wins += bads(one) * (2 * goods + own)
        goods += own
    return wins / (2 * goods * sum(map(bads, bins)))


def pooled(bounds, bins):
    """
    Greatest convex minorant (or least concave majorant) of the cumulative defaults over the cumulative rows, whose slopes are
    the pooled rates: another way to the blocks than pooling neighbours.
    """
    sign = 1 if area(bins) >= mpq(1, 2) else -1
    points, rows, defaults = [(mpq(0), mpq(0), 0)], mpq(0), mpq(0)
    for k, one in enumerate(bins):
        rows, defaults = rows + weight(one), defaults + sign * bads(one)
        points.append((rows, defaults, k + 1))
    kept, at = [0], 0
    while points[at][2] < len(bins):
        slopes = {k: (points[k][1] - points[at][1]) / (points[k][0] - points[at][0])
                  for k in range(at + 1, len(points)) if points[k][0] > points[at][0]}
        if not slopes:
            break
        least = min(slopes.values())
        # Of equal slopes the nearest, for bins of equal rates stay apart; with the bins without rows that follow.
        nearest = min(points[k][0] for k, slope in slopes.items() if slope == least)
        at = max(k for k in slopes if points[k][0] == nearest)
        kept.append(at)
    return [bounds[k] for k in kept]


def share(part, whole):
    return max(part / whole, LEAST)


def divergence(a, b):
    return mpfr(a - b) * (gmpy2.log(mpfr(a)) - gmpy2.log(mpfr(b)))


def evidence(bins):
    """Weight and part of the information value, by bin."""
    defaults = sum(map(bads, bins))
    goods = sum(map(weight, bins)) - defaults
    pairs = [(share(weight(one) - bads(one), goods), share(bads(one), defaults)) for one in bins]
    return [gmpy2.log(mpfr(a / b)) for a, b in pairs], sum(divergence(a, b) for a, b in pairs)


def exact(given):
    context.precision = 400
    (bounds, shared), expected, actual = bounds_of(given), rows_of(given, 'expected'), rows_of(given, 'actual')
    if given.get('monotone'):
        bounds = pooled(bounds, members(expected, bounds, shared))
    before, after = members(expected, bounds, shared), members(actual, bounds, shared)
    n, m = weight(expected), weight(actual)
    bins = [dict(lower=mpfr(low), upper=mpfr(high), expected_share=mpfr(weight(e) / n), actual_share=mpfr(weight(a) / m),
                 contribution=divergence(share(weight(a), m), share(weight(e), n)))
            for low, high, e, a in zip(bounds, bounds[1:], before, after)]
    found = dict(psi=sum(one['contribution'] for one in bins), bins=bins)
    if given.get('expected_y_true'):
        (weights, information), (others, other) = evidence(before), evidence(after)
        found['information_value'] = dict(expected=information, actual=other)
        for one, e, a in zip(bins, weights, others):
            one['weight_of_evidence'] = dict(expected=e, actual=a)
    return found


def checked(given):
    """
    The index found again as the sum of two relative entropies, with rows counted by comparing each with each bound. Whole
    weights are also rows that occur so often.
    """
    found = exact(given)
    bounds = [float(one['lower']) for one in found['bins']] + [float(found['bins'][-1]['upper'])]
    shared, shares, last = bounds_of(given)[1], [], len(bounds) - 2
    for rows in rows_of(given, 'actual'), rows_of(given, 'expected'):
        upwards = lambda s, k: bounds[k] <= s < bounds[k + 1] or k == last and s == bounds[-1]
        downwards = lambda s, k: bounds[k] < s <= bounds[k + 1] or k == 0 and s == bounds[0]
        part = lambda s, k: mpq(upwards(s, k) + (downwards if s in shared else upwards)(s, k), 2)
        shares.append([share(sum(part(s, k) * w for s, _, w in rows), weight(rows)) for k in range(last + 1)])
    entropy = lambda p, q: sum(mpfr(a) * gmpy2.log2(mpfr(a) / mpfr(b)) for a, b in zip(p, q)) * gmpy2.const_log2()
    assert abs(entropy(*shares) + entropy(*shares[::-1]) - found['psi']) <= mpfr(2) ** -380
    times = {name: given.get(name + '_weights') or [1] * len(given[name]) for name in ('expected', 'actual')}
    if any(given.get(name + '_weights') for name in times) and all(w == int(w) for one in times.values() for w in one):
        fields = {field: [value for value, count in zip(given[field], times[name]) for _ in range(int(count))]
                  for name in times for field in (name, name + '_y_true') if field in given}
        assert exact({**{key: given[key] for key in given if not key.endswith('weights')}, **fields}) == found
    return found


def pairs_of(got, wanted, allowed):
    """(got, exact, tolerance) of every number; raises KeyError where a field is missing, ArithmeticError for one too many."""
    if isinstance(wanted, (dict, list)):
        keys = wanted.keys() if isinstance(wanted, dict) else range(len(wanted))
        if len(got) != len(wanted):
            raise ArithmeticError('%d fields or bins, not %d' % (len(got), len(wanted)))
        return [pair for key in keys for pair in pairs_of(got[key], wanted[key], allowed)]
    return [(got, wanted, allowed * abs(wanted))]


def judge(given, output, refused):
    bounds, labels = bounds_of(given)[0], given.get('expected_y_true')
    outside = [s for s in given['expected'] + given['actual'] if not bounds[0] <= s <= bounds[-1]]
    one_class = labels and (len(set(labels)) == 1 or len(set(given['actual_y_true'])) == 1)
    if outside or one_class or given.get('monotone') and not labels:
        return dict(refused=True) if refused else dict(wrong='answered')
    if refused:
        return dict(wrong='refused: ' + refused)
    # Sums of terms of one sign, each wrong by a few units.
    return verdict(pairs_of(output, exact(given), 12 * ULP))


def draw(draw):
    size = lambda: draw.whole(1, 6) if draw.likely(0.2) else draw.whole(1, 300)
    n, m = size(), size()
    levels = [draw.between(-3, 3) for _ in range(draw.whole(1, 8))] if draw.likely(0.3) else []
    shift = draw.between(-1, 1)
    one = lambda by: draw.pick(*levels) if levels else draw.any_number() if draw.likely(0.02) else draw.between(-3, 3) + by
    given = dict(expected=[one(0) for _ in range(n)], actual=[one(shift) for _ in range(m)])
    if draw.likely(0.3):
        tick = draw.pick(0.25, 0.5, 1, 2)
        given = {name: [tick * round(score / tick) if abs(score) < 9 else score for score in scores] for name, scores in given.items()}
    if draw.likely(0.5):
        reach = 1e308 if draw.likely(0.5) else 3
        given['edges'] = sorted({-reach, reach, *[draw.between(-3, 3) for _ in range(draw.whole(0, 12))]})
    else:
        given['n_bins'] = round(draw.decades(1, 1000)) if draw.likely(0.2) else draw.whole(1, 20)
    if draw.likely(0.6):
        rising = draw.pick(-1, 0, 1)
        label = lambda s: int(draw.likely(0.5 + 0.14 * rising * max(-3, min(3, s))))
        given['expected_y_true'] = [0, 1][:n] + [label(s) for s in given['expected'][2:]]
        given['actual_y_true'] = [1, 0][:m] + [label(s) for s in given['actual'][2:]]
        given['monotone'] = draw.likely(0.5)
    for name in ('expected', 'actual'):
        if draw.likely(0.4):
            own = draw.pick(lambda: draw.whole(1, 5), lambda: min(1e9, max(1e-9, draw.decades(1e-9, 1e9))), lambda: draw.whole(1, 40) / 10, lambda: 0.1)
            given[name + '_weights'] = [own() for _ in given[name]]
    return given


def sample(seed, rows, shift, labelled):
    """Scores and labels by a multiplicative generator (Lehmer)."""
    state, scores, labels = seed, [], []
    for _ in range(rows):
        state = state * 48271 % 2147483647
        scores.append(round(600 + 200 * (state / 2147483647 - 0.5) + shift, 1))
        state = state * 48271 % 2147483647
        labels.append(int(state / 2147483647 < 0.6 - (scores[-1] - 500) / 400))
    return (scores, labels) if labelled else (scores, [])


def portfolio(seed, rows, shift, labelled=True, **others):
    (e, y), (a, z) = sample(seed, rows, 0, labelled), sample(seed + 1000, rows + 30, shift, labelled)
    return dict(expected=e, actual=a, **(dict(expected_y_true=y, actual_y_true=z) if labelled else {}), **others)


def weighted(given, by):
    return dict(given, **{name + '_weights': [(7 * i % 30 + 1) / by for i in range(len(given[name]))] for name in ('expected', 'actual')})


SWEEPS = [dict(path=PATH, points=400, draw=draw, judge=judge,
               text='two samples of 1…300 scores of any size, with ties, also on a grid; 1…1,000 quantiles or up to 13 given bins; labels; weights 1e-9…1e9, often equal or tenths; monotone bins')]

VECTORS = dict(
    path=PATH, exact=checked, rel_tol=1e-14,
    about='Population stability index, weights of evidence and information values, by bins',
    source='fractions and 400 bits; the index by its terms and as two relative entropies, monotone bins by a convex minorant',
    cases=[
        *[('quantiles_%d' % n, 'quantiles', portfolio(n, 60, 5 * n, False, n_bins=n)) for n in (1, 2, 5, 10, 60)],
        *[('labels_%d' % seed, 'labels', portfolio(seed, 90, 10)) for seed in (21, 22, 23)],
        *[('monotone_%d' % seed, 'monotone', portfolio(seed, 120, 15, n_bins=12, monotone=True)) for seed in (31, 32, 33)],
        ('edges', 'edges', portfolio(41, 80, 20, edges=[400, 550, 600, 650, 800])),
        ('monotone_edges', 'monotone', portfolio(42, 80, -20, edges=[0, 400, 520, 540, 560, 600, 640, 660, 900, 999], monotone=True)),
        *[('weights_%d' % by, 'weights', weighted(portfolio(50 + by, 70, 10, n_bins=8), by)) for by in (1, 8, 10)],
        *[('weights_monotone_%d' % by, 'weights', weighted(portfolio(60 + by, 90, 10, n_bins=15, monotone=True), by)) for by in (1, 10)],
        ('equal_weights', 'weights', dict(portfolio(71, 60, 10), expected_weights=[0.1] * 60)),
        ('wide_weights', 'weights', dict(expected=[1, 2, 3, 4], actual=[2, 3, 4], n_bins=2,
                                         expected_weights=[1e-9, 1e9, 1e9, 1e-9], actual_weights=[1e9, 1e-9, 1e-9])),
        ('same', 'edges', dict(expected=[1, 2, 3], actual=[3, 2, 1], edges=[1, 2, 3])),
        ('nearly_same', 'edges', dict(expected=[1] * 99 + [2] * 101, actual=[1] * 100 + [2] * 101, edges=[0, 2, 3])),
        ('empty_bins', 'edges', dict(expected=[1, 1, 5], actual=[3, 3, 5], edges=[0, 2, 4, 5])),
        ('rare_bins', 'edges', dict(expected=[1, 3], actual=[1, 3], expected_weights=[3, 29_997], actual_weights=[1, 99_999], edges=[0, 2, 4])),
        ('zero_inflated', 'ties', dict(expected=[0] * 97 + [1] * 3, actual=[0] * 50 + [1] * 50)),
        ('delinquencies', 'ties', dict(expected=[0] * 170 + [1] * 12 + [2] * 8 + [3] * 6 + [5] * 4, actual=[0] * 120 + [1] * 40 + [2, 3, 4, 5, 6] * 8)),
        ('spike_inside', 'ties', dict(expected=[*range(40), *[40] * 30, *range(41, 71)], actual=[*range(5, 75), 39.5, 40.5, *[40] * 9], n_bins=7)),
        ('halfway_scores', 'ties', dict(expected=[2 * i for i in range(40)], actual=[2 * i + 1 for i in range(40)], n_bins=8)),
        ('odd_rows', 'ties', dict(expected=list(range(21)), actual=[i / 2 for i in range(42)])),
        ('odd_uneven_rows', 'ties', dict(expected=[i * i for i in range(21)], actual=[i / 2 for i in range(42)])),
        ('two_of_three', 'ties', dict(expected=[1, 2, 3], actual=[1, 1, 3], n_bins=2)),
        ('perfect_predictor', 'ties', dict(expected=[0] * 97 + [1] * 3, actual=[0] * 95 + [1] * 5, expected_y_true=[0] * 97 + [1] * 3,
                                           actual_y_true=[0] * 95 + [1] * 5)),
        ('constant', 'quantiles', dict(expected=[7, 7, 7], actual=[7, 7])),
        ('one_row', 'quantiles', dict(expected=[1], actual=[2])),
    ],
)
