"""Credit validation in fractions and 400 bits: its reference vectors, the inputs of its sweep, and their judge."""
from bisect import bisect_left, bisect_right
from itertools import accumulate

import gmpy2
from gmpy2 import mpfr, mpq

from equal_bins import equal_bins
from exact import LARGEST, context, verdict

PATH = '/quantlib/ml/credit/validation'


class Sums:
    """The weights of rows (value, weight) up to a value."""

    def __init__(self, rows):
        self.rows = sorted(rows)
        self.values = [value for value, _ in self.rows]
        self.sums = [mpq(0), *accumulate(weight for _, weight in self.rows)]
        self.all = self.sums[-1]

    def share(self, value):
        return self.sums[bisect_right(self.values, value)] / self.all

    def middle(self, value):
        return (self.sums[bisect_left(self.values, value)] / self.all + self.share(value)) / 2


def area(goods, bads):
    """The area and its variance, from the placements of both classes."""
    wins = [(goods.middle(p), w) for p, w in bads.rows]
    losses = [(bads.middle(p), w) for p, w in goods.rows]
    auc = sum(v * w for v, w in wins) / bads.all
    if min(goods.all, bads.all) - 1 < mpq(1, 2 ** 40):
        return auc, None
    spread = lambda values, mean, all: sum(w * (v - mean) ** 2 for v, w in values) / (all - 1) / all
    return auc, spread(wins, auc, bads.all) + spread(losses, 1 - auc, goods.all)


def area_of_pairs(goods, bads):
    """The same from the kernel of all pairs: the variance of the U statistic by sums over shared members."""
    kernel = lambda b, g: mpq((g < b) * 2 + (g == b), 2)
    n, m = bads.all, goods.all
    total = sum(v * w * kernel(b, g) for b, v in bads.rows for g, w in goods.rows)
    rows = sum(v * sum(w * kernel(b, g) for g, w in goods.rows) ** 2 for b, v in bads.rows)
    columns = sum(w * sum(v * kernel(b, g) for b, v in bads.rows) ** 2 for g, w in goods.rows)
    if min(n, m) - 1 < mpq(1, 2 ** 40):
        return total / (n * m), None
    variance = lambda squares, count, width: (squares / width ** 2 - total ** 2 / (width ** 2 * count)) / (count - 1) / count
    return total / (n * m), variance(rows, n, m) + variance(columns, m, n)


def rows_of(given):
    return list(zip(given['y_true'], given['y_prob'], map(mpq, given.get('weights') or [1] * len(given['y_true']))))


def sums_of(rows):
    return [Sums([(p, w) for y, p, w in rows if y == label]) for label in (0, 1)]


def bins_of(rows, count):
    """The rows of each bin."""
    places = {value: k for k, (values, _) in enumerate(equal_bins([(p, w) for _, p, w in rows], count, mpq(1, 2 ** 50))) for value in values}
    bins = [[] for _ in range(max(places.values()) + 1)]
    for label, value, weight in rows:
        bins[places[value]].append((label, mpq(value), weight))
    return bins


def tail(statistic, degrees):
    """Of the chi-square distribution, by its finite series (Abramowitz & Stegun 1964, 26.4.4 and 26.4.5)."""
    x = mpfr(statistic) / 2
    start = mpfr(degrees % 2) / 2
    total = gmpy2.erfc(gmpy2.sqrt(x)) if degrees % 2 else mpfr(0)
    return total + sum(gmpy2.exp(-x) * x ** (start + k) / gmpy2.gamma(start + k + 1) for k in range(degrees // 2))


def tail_by_series(statistic, degrees):
    """The same as 1 less the series of the lower tail, which has any degrees."""
    a, x = mpfr(degrees) / 2, mpfr(statistic) / 2
    term = total = 1 / a
    n = a
    while term > total * mpfr(2) ** -390:
        n += 1
        term *= x / n
        total += term
    return 1 - total * gmpy2.exp(-x + a * gmpy2.log(x) - gmpy2.lngamma(a)) if x > 0 else mpfr(1)


def quantile(confidence):
    """The root of erf(z/√2) = confidence, by halving."""
    low, high = mpfr(0), mpfr(12)
    for _ in range(390):
        middle = (low + high) / 2
        if gmpy2.erf(middle / gmpy2.sqrt(mpfr(2))) < confidence:
            low = middle
        else:
            high = middle
    return low


def exact(given):
    """Every figure, as a fraction where it is one."""
    context.precision = 400
    lines = rows_of(given)
    goods, bads = sums_of(lines)
    n, values = goods.all + bads.all, given['y_prob']
    auc, variance = area(goods, bads)
    bins = bins_of(lines, given.get('n_bins', 10))
    rate = bads.all / n
    rows = [(sum(w for _, _, w in one), sum(y * w for y, _, w in one), sum(p * w for _, p, w in one)) for one in bins]
    gap = lambda v: abs(goods.share(v) - bads.share(v))
    widest = max(map(gap, set(values)))
    found = dict(
        auc_roc=auc, gini=2 * auc - 1,
        ks_statistic=widest, ks_threshold=mpq(min(v for v in set(values) if gap(v) == widest)),
        brier_score=sum(w * (mpq(v) - y) ** 2 for y, v, w in lines) / n,
        brier_reliability=sum((e - d) ** 2 / c for c, d, e in rows) / n,
        brier_resolution=sum(c * (d / c - rate) ** 2 for c, d, _ in rows) / n,
        brier_uncertainty=rate * (1 - rate),
        expected_calibration_error=sum(abs(e - d) for _, d, e in rows) / n,
        bins=[dict(lower=min(p for _, p, _ in one), upper=max(p for _, p, _ in one), count=c, defaults=d,
                   mean_probability=e / c, observed_rate=d / c, lift=d / c / rate) for one, (c, d, e) in zip(bins, rows)],
    )
    if variance is not None:
        error = gmpy2.sqrt(mpfr(variance))
        reach = quantile(mpfr(given.get('confidence', 0.95))) * error
        found.update(auc_standard_error=error, auc_lower=max(mpfr(0), auc - reach), auc_upper=min(mpfr(1), auc + reach))
    if all(0 < e < c or d == e for c, d, e in rows):
        statistic = sum((d - e) ** 2 * c / (e * (c - e)) for c, d, e in rows if d != e)
        if abs(mpfr(statistic)) < LARGEST:
            found['hosmer_lemeshow_statistic'] = mpq(statistic)
            if len(rows) > 2:
                found['hosmer_lemeshow_p_value'] = tail(statistic, len(rows) - 2)
    return found


def checked(given):
    """The scalars, each found in a second way too."""
    found = exact(given)
    lines = rows_of(given)
    auc, variance = area_of_pairs(*sums_of(lines))
    assert auc == found['auc_roc']
    assert variance is None or abs(mpfr(variance) - found['auc_standard_error'] ** 2) <= mpfr(2) ** -380
    # The Brier score as the sum of its parts, with those within the bins (Stephenson, Coelho & Jolliffe 2008, eq. 8).
    within = mpq(0)
    for rows in bins_of(lines, given.get('n_bins', 10)):
        size = sum(w for _, _, w in rows)
        mean, rate = sum(p * w for _, p, w in rows) / size, sum(y * w for y, _, w in rows) / size
        within += sum(w * ((p - mean) ** 2 - 2 * (y - rate) * (p - mean)) for y, p, w in rows)
    assert found['brier_score'] == (found['brier_reliability'] - found['brier_resolution'] + found['brier_uncertainty']
                                    + within / sum(w for _, _, w in lines))
    if 'hosmer_lemeshow_p_value' in found:
        other = tail_by_series(found['hosmer_lemeshow_statistic'], len(found['bins']) - 2)
        assert abs(other - found['hosmer_lemeshow_p_value']) <= mpfr(2) ** -200
    return {name: mpfr(value) for name, value in found.items() if name != 'bins'}


def judge(given, output, refused):
    if len(set(given['y_true'])) == 1:
        return dict(refused=True) if refused else dict(wrong='one class only')
    if refused:
        return dict(wrong='refused: ' + refused)
    found = exact(given)
    # A statistic at the end of the doubles may be on either side of it.
    statistic = found.get('hosmer_lemeshow_statistic', 0)
    if output.keys() != found.keys():
        return dict(wrong='has the fields ' + ', '.join(output))
    if len(output['bins']) != len(found['bins']):
        return dict(wrong='has %d bins, not %d' % (len(output['bins']), len(found['bins'])))
    # Counts are exact in doubles, sums of weights are rounded.
    unit = mpfr('1e-14' if given.get('weights') else '1e-15')
    pairs = [(got[name], mpfr(value), unit * value) for got, one in zip(output['bins'], found['bins'])
             for name, value in one.items()]
    for name in found.keys() - {'bins'}:
        value = mpfr(found[name])
        allowed = {
            'hosmer_lemeshow_statistic': mpfr('1e-12') * max(1, value),
            'hosmer_lemeshow_p_value': mpfr('1e-12') * (1 + statistic) * value,
            'auc_standard_error': 10 * unit * value,
        }.get(name, unit)
        pairs.append((output[name], value, allowed))
    judged = verdict(pairs)
    if 'error' in judged:
        # Errors of shares, which may be 0, are absolute.
        judged['error'] = max(float(abs(mpfr(output[name]) - mpfr(found[name]))) for name in found.keys() - {'bins'}
                              if not name.startswith('hosmer'))
    return judged


def draw_far(draw):
    """Few defaults expected and many found: a test statistic of a thousand and more."""
    n, most, rate = draw.whole(50, 300), draw.decades(0.01, 0.3), draw.between(0.1, 0.9)
    labels = [0, 1] + [int(draw.likely(rate)) for _ in range(n - 2)]
    return dict(y_true=labels, y_prob=[draw.between(0.3, 1) * most for _ in labels], weights=[], n_bins=draw.whole(3, 60), confidence=0.95)


def draw(draw):
    if draw.likely(0.1):
        return draw_far(draw)
    n = draw.whole(2, 300)
    one = lambda: (draw.pick(0, 1, 5e-324, 1 - 2 ** -53, 0.5) if draw.likely(0.02) else
                   draw.decades(1e-300, 1) if draw.likely(0.1) else 1 - draw.decades(1e-16, 1) if draw.likely(0.1) else
                   draw.fraction())
    levels = [one() for _ in range(draw.whole(1, 6))] if draw.likely(0.3) else []
    digits = draw.whole(1, 3) if draw.likely(0.3) else 400
    values = [round(draw.pick(*levels) if levels else one(), digits) for _ in range(n)]
    labels = [0, 1] + [int(draw.likely(value)) if draw.likely(0.7) else draw.whole(0, 1) for value in values[2:]]
    by = draw.pick(8, 10)
    weights = [draw.decades(1e-9, 1e9) if by < 9 and draw.likely(0.5) else draw.whole(1, 40) / by for _ in labels] if draw.likely(0.3) else []
    return dict(y_true=labels, y_prob=values, weights=weights, n_bins=round(draw.decades(1, 1000)) if draw.likely(0.4) else draw.whole(2, 20),
                confidence=draw.decades(1e-10, 0.9) if draw.likely(0.1) else 1 - draw.decades(1e-15, 0.9))


def portfolio(seed, rows, digits):
    """Probabilities and outcomes by a multiplicative generator (Lehmer)."""
    state, found = seed, dict(y_true=[], y_prob=[])
    for _ in range(rows):
        state = state * 48271 % 2147483647
        p = round((state / 2147483647) ** 2, digits)
        state = state * 48271 % 2147483647
        found['y_true'].append(int(state / 2147483647 < p * 1.1))
        found['y_prob'].append(p)
    return found


SWEEPS = [dict(path=PATH, points=300, draw=draw, judge=judge,
               text='2…300 probabilities, also 0, 1, 5e-324 and 1 − 2⁻⁵³, with ties and rounded; weights 1e-9…1e9; 1…1,000 bins; confidence 1e-10…1 − 1e-15; also wrong by many deviations')]

VECTORS = dict(
    path=PATH, exact=checked, rel_tol=1e-13, abs_tol=1e-15,
    about='AUC with its DeLong error, KS, Brier score with its parts over bins of equal count, Hosmer-Lemeshow test',
    source='fractions; AUC by placements and by all pairs, Brier score and the sum of its parts, tail by its finite and its infinite series',
    cases=[
        *[('portfolio_%d' % seed, 'smooth', portfolio(seed, 40 + 20 * seed, 6)) for seed in range(1, 6)],
        *[('rounded_%d' % seed, 'ties', portfolio(seed, 80, 1)) for seed in range(6, 10)],
        *[('bins_%d' % n, 'bins', dict(portfolio(11, 120, 5), n_bins=n)) for n in (1, 2, 3, 4, 7, 120, 1000)],
        *[('weights_%d' % seed, 'weights', dict(portfolio(seed, 70, 2), weights=[(7 * i % 30 + 1) / by for i in range(70)]))
          for seed, by in ((21, 1), (22, 8), (23, 10))],
        ('equal_weights', 'weights', dict(portfolio(24, 60, 6), weights=[0.1] * 60)),
        ('confidence', 'bounds', dict(portfolio(12, 30, 3), confidence=0.999)),
        ('cut_at_one', 'bounds', dict(y_true=[0, 0, 1, 0, 1, 1], y_prob=[0.1, 0.2, 0.3, 0.4, 0.7, 0.9], n_bins=3)),
        ('one_default', 'edges', dict(y_true=[0, 1, 0, 0], y_prob=[0.1, 0.3, 0.2, 0.5])),
        ('one_other', 'edges', dict(y_true=[1, 1, 0], y_prob=[0.9, 0.3, 0.2])),
        ('ties_at_the_top', 'ties', dict(y_true=[0, 0, 0, 1, 0] + [0, 1] * 47 + [1], y_prob=[0.02, 0.03, 0.04, 0.05, 0.06] + [0.5] * 95)),
        ('ties_at_the_bottom', 'ties', dict(y_true=[0, 1] * 47 + [1] + [0, 0, 0, 1, 0], y_prob=[0.5] * 95 + [0.94, 0.95, 0.96, 0.97, 0.98])),
        ('odd_rows', 'ties', dict(y_true=[int(i % 3 == 0) for i in range(21)], y_prob=[(i + 1) / 25 for i in range(21)])),
        ('constant', 'edges', dict(y_true=[0, 1, 0, 1, 0], y_prob=[0.25] * 5)),
        ('certain_and_right', 'edges', dict(y_true=[0, 0, 1, 1], y_prob=[0, 0, 1, 1])),
        ('certain_and_wrong', 'edges', dict(y_true=[0, 1, 1, 1], y_prob=[0, 0, 1, 1])),
        ('nearly_certain', 'edges', dict(y_true=[0, 0, 1, 1], y_prob=[1e-300, 0.5, 0.5, 1 - 2 ** -53], n_bins=3)),
    ],
)
