"""
Migration generators in 600 bits: logarithms, their nearest generators, and exponentials, each by two methods. A bootstrap draws
its samples again from the description of the random numbers, by fractions of whole numbers.
"""
from bisect import bisect_right
from functools import cache

from gmpy2 import exp, floor, mpfr, mpq

from exact import ULP, context, verdict
from forest import Generator

PATH = '/quantlib/ml/credit/migration-generator'
TIMES = [1, 2, 3, 5, 7, 10]
EDGE = mpfr(10) ** -12


def unit(n):
    return [[mpfr(i == j) for j in range(n)] for i in range(n)]


def times(a, b):
    columns = list(zip(*b))
    return [[sum((x * y for x, y in zip(row, column)), mpfr(0)) for column in columns] for row in a]


def mix(a, x, b, y):
    return [[x * p + y * q for p, q in zip(one, other)] for one, other in zip(a, b)]


def size(a):
    return max(sum(map(abs, row)) for row in a)


def inverse(a):
    """By elimination; raises ZeroDivisionError."""
    n = len(a)
    rows = [list(row) + one for row, one in zip(a, unit(n))]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if rows[best][k] == 0:
            raise ZeroDivisionError
        rows[k], rows[best] = rows[best], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        rows = [row if i == k else [x - row[k] * y for x, y in zip(row, rows[k])] for i, row in enumerate(rows)]
    return [row[n:] for row in rows]


def root(a):
    """The iteration of Denman & Beavers with both of its matrices; None where it does not converge."""
    y, z = a, unit(len(a))
    for _ in range(200):
        try:
            y, z, before = mix(y, mpfr('0.5'), inverse(z), mpfr('0.5')), mix(z, mpfr('0.5'), inverse(y), mpfr('0.5')), y
        except ZeroDivisionError:
            return None
        if size(mix(y, 1, before, -1)) <= mpfr(2) ** -550 * (1 + size(y)):
            return y
    return None


def logarithm(a):
    """Roots until the plain series of ln(1 + x) ends soon. None where there is no principal logarithm."""
    roots, one = 0, unit(len(a))
    while size(mix(a, 1, one, -1)) > mpfr(2) ** -12:
        a, roots = root(a), roots + 1
        if a is None or roots > 80:
            return None
    x = mix(a, 1, one, -1)
    total, power = [[mpfr(0)] * len(a) for _ in a], one
    for k in range(1, 60):
        power = times(power, x)
        total = mix(total, 1, power, mpfr((-1) ** (k + 1)) / k)
    return [[value * 2 ** roots for value in row] for row in total]


def exponential(a, finer=0):
    squarings = max(0, int(size(a)).bit_length() + 8) + finer
    a = [[value / 2 ** squarings for value in row] for row in a]
    total = power = unit(len(a))
    for k in range(1, 70):
        power = [[value / k for value in row] for row in times(power, a)]
        total = mix(total, 1, power, 1)
    for _ in range(squarings):
        total = times(total, total)
    return total


def cohort(counts):
    found = []
    for i, row in enumerate(counts):
        total = sum(map(mpq, row))
        found.append([mpfr(mpq(value) / total) if total else mpfr(i == j) for j, value in enumerate(row)])
    return found


def reached(p):
    n = len(p)
    paths = [[i == j or p[i][j] > 0 for j in range(n)] for i in range(n)]
    for _ in range(n):
        paths = [[any(paths[i][k] and paths[k][j] for k in range(n)) for j in range(n)] for i in range(n)]
    return paths


def nearest(row, own):
    """The projection on rows of generators, by halving the number that is subtracted."""
    low, high = -size([row]), size([row])
    for _ in range(600):
        middle = (low + high) / 2
        rest = row[own] - middle + sum(max(mpfr(0), value - middle) for j, value in enumerate(row) if j != own)
        low, high = (middle, high) if rest > 0 else (low, middle)
    return [mpfr(0) if value == 0 else max(mpfr(0), value - low) for value in row]


def closed(rates):
    found = [[mpfr(0) if i == j or i == len(rates) - 1 else value for j, value in enumerate(row)] for i, row in enumerate(rates)]
    for i, row in enumerate(found):
        row[i] = -sum(row)
    return found


def by_logarithm(p):
    """The generator, and by how much the logarithm is one, in units of its largest entry; None without a logarithm."""
    found, paths = logarithm(p), reached(p)
    if found is None:
        return None
    n = len(p)
    largest = max(abs(value) for row in found for value in row)
    found = [[value if paths[i][j] else mpfr(0) for j, value in enumerate(row)] for i, row in enumerate(found)]
    least = min((found[i][j] if p[i][j] > 0 else mpfr(-1e300) for i in range(n) for j in range(n) if i != j and paths[i][j]),
                default=mpfr(0))
    return closed([nearest(row, i) for i, row in enumerate(found)]), least / largest if largest else mpfr(0)


def by_duration(given):
    return closed([[mpfr(mpq(count) / mpq(years)) if count else mpfr(0) for count in row]
                   for row, years in zip(given['transitions'], given['exposures'])])


def defaults(generator, at, finer=0):
    return [[row[-1] for row in exponential([[value * mpfr(time) for value in row] for row in generator], finer)] for time in at]


def uniformised(generator, time):
    """By the Poisson sum of the powers of one matrix."""
    rate = max(-generator[i][i] for i in range(len(generator))) * mpfr(time)
    if rate == 0:
        return [mpfr(i == len(generator) - 1) for i in range(len(generator))]
    jump = mix(unit(len(generator)), 1, generator, mpfr(time) / rate)
    power = [[mpfr(i == len(generator) - 1)] for i in range(len(generator))]
    weight, total, k = exp(-rate), [mpfr(0)] * len(power), 0
    while k < rate or weight > mpfr(2) ** -500:
        total = [one + weight * value for one, (value,) in zip(total, power)]
        k, power = k + 1, times(jump, power)
        weight *= rate / k
    return total


def binomial(random, total, chance):
    """How many of so many numbers, known bit by bit, are below the chance: the bits of all come in words, the lowest first."""
    if chance == 1:
        return total
    below, undecided = 0, total
    while undecided and chance:
        bits = ''.join(format(random.word(), '032b')[::-1] for _ in range(-(-undecided // 32)))[:undecided]
        chance *= 2
        if chance >= 1:
            below, undecided, chance = below + bits.count('0'), bits.count('1'), chance - 1
        else:
            undecided = bits.count('0')
    return below


@cache
def poisson_table(mean):
    term, table = exp(mpfr(-mean)), []
    for k in range(1, 6 * mean + 60):
        table.append(term + (table[-1] if table else 0))
        term *= mpfr(mean) / k
    return table


def poisson(random, mean):
    return sum(bisect_right(poisson_table(size), random.fraction()) for size in [64] * (mean // 64) + [1] * (mean % 64))


def resampled(random, counts, is_duration):
    found = [[0] * len(counts) for _ in counts]
    for i, row in enumerate(counts[:-1]):
        weights = [0 if is_duration and i == j else count for j, count in enumerate(row)]
        total = sum(weights)
        draws = poisson(random, total) if is_duration else total
        for j, weight in enumerate(weights):
            if total:
                found[i][j] = binomial(random, draws, mpq(weight, total))
                draws, total = draws - found[i][j], total - weight
    return found


def intervals(given):
    """The quantiles of the probabilities by the generators of the samples (type 7 of Hyndman & Fan 1996)."""
    random, is_duration, found = Generator(given.get('random_state', 0)), given['method'] == 'duration', []
    for _ in range(given['bootstrap_samples']):
        drawn = dict(given, transitions=resampled(random, given['transitions'], is_duration))
        generator = by_duration(drawn) if is_duration else (by_logarithm(cohort(drawn['transitions'])) or [None])[0]
        if generator:
            found.append(defaults(generator, given['times']))
    tail = (1 - mpfr(given.get('confidence', 0.95))) / 2

    def at(probability):
        place = (len(found) - 1) * probability
        below = int(floor(place))
        quantile = lambda sorted: sorted[below] + (place - below) * (sorted[min(below + 1, len(found) - 1)] - sorted[below])
        return [[quantile(sorted(one[k][i] for one in found)) for i in range(len(given['transitions']))] for k in range(len(given['times']))]

    return dict(default_probabilities_lower=at(tail), default_probabilities_upper=at(1 - tail))


def exact(given):
    context.precision = 600
    given = dict(dict(method='logarithm', times=TIMES), **given)
    found = by_logarithm(cohort(given['transitions']))
    generator = by_duration(given) if given['method'] == 'duration' else found[0]
    return dict(generator=generator, embeddable=bool(found and found[1] >= -EDGE),
                default_probabilities=defaults(generator, given['times']), **(intervals(given) if 'bootstrap_samples' in given else {}))


def checked(given):
    """The logarithm by its exponential, exponentials by finer scaling and by uniformisation."""
    found = exact(given)
    p = cohort(given['transitions'])
    if given.get('method') != 'duration':
        assert size(mix(exponential(logarithm(p)), 1, p, -1)) <= mpfr(2) ** -480
    at = given.get('times', TIMES)
    for time, one, other in zip(at, found['default_probabilities'], defaults(found['generator'], at, 30)):
        assert max(abs(a - b) for a, b in zip(one, other)) <= mpfr(2) ** -400
        if max(-row[i] for i, row in enumerate(found['generator'])) * time < 300:
            assert max(abs(a - b) for a, b in zip(one, uniformised(found['generator'], time))) <= mpfr(2) ** -400
    return found


def condition(p, found):
    """How much the generator moves, over the part by which every probability moves, for three such moves."""
    state, worst = 1, mpfr(1)
    for _ in range(3):
        moved = []
        for row in p:
            moved.append([])
            for value in row:
                state = state * 48271 % 2147483647
                moved[-1].append(value * (1 + mpfr((-1) ** (state % 2)) * mpfr(2) ** -60))
        other = by_logarithm(moved)
        if other is None:
            return mpfr(10) ** 30
        worst = max(worst, size(mix(other[0], 1, found, -1)) * 2 ** 60)
    return worst


def judge(given, output, refused):
    context.precision = 600
    counts, n = given['transitions'], len(given['transitions'])
    found = by_logarithm(cohort(counts))
    tolerance = condition(cohort(counts), found[0]) * 60 * n * ULP if found else mpfr(0)
    if any(counts[-1][:-1]):
        return dict(refused=True) if refused else dict(wrong='answered')
    if refused:
        if given['method'] == 'duration':
            largest = max(-row[i] for i, row in enumerate(by_duration(given)))
            return dict(refused=True) if largest * max(given['times']) > 2 ** 49 else dict(wrong='refused: ' + refused)
        # Roots of nearly singular matrices have too few digits.
        return dict(refused=True) if found is None or tolerance > mpfr('1e-4') else dict(wrong='refused: ' + refused)
    if given['method'] == 'logarithm' and found is None:
        return dict(wrong='answered')
    if given['method'] == 'duration':
        pairs = [(got, want, 4 * ULP * abs(want)) for rows in zip(output['generator'], by_duration(given)) for got, want in zip(*rows)]
    else:
        pairs = [(got, want, tolerance) for rows in zip(output['generator'], found[0]) for got, want in zip(*rows)]
    if found is None and output['embeddable'] or found and tolerance < EDGE / 100 and (
            output['embeddable'] != (found[1] >= -EDGE)) and abs(found[1] + EDGE) > EDGE / 2:
        return dict(wrong='embeddable: %s' % output['embeddable'])
    judged = verdict(pairs)
    if not judged.get('share', 2) <= 1:
        return judged
    generator = closed([[mpfr(value) for value in row] for row in output['generator']])
    probabilities = [(got, want, mpfr('1e-13') * want) for rows in zip(output['default_probabilities'], defaults(generator, given['times']))
                     for got, want in zip(*rows)]
    found = verdict(probabilities)
    return found if 'wrong' in found else dict(share=max(found['share'], judged['share']), error=found['error'])


def draw(draw):
    n = draw.whole(1, 5)
    chance = draw.pick(0, 0.2, 0.5)
    far = lambda: 0 if draw.likely(chance) else draw.decades(1e-3, 1e3) if draw.likely(0.5) else draw.whole(0, 50)
    heavy = draw.decades(0.1, 1e3) if draw.likely(0.8) else 0
    counts = [[far() + (heavy * 50 if i == j else 0) for j in range(n)] for i in range(n - 1)]
    counts.append([0] * (n - 1) + [draw.pick(0, 1)])
    if n > 1 and draw.likely(0.02):
        counts[-1][0] = 1
    given = dict(transitions=counts, method='logarithm')
    if draw.likely(0.5):
        given['method'] = 'duration'
        given['exposures'] = [draw.decades(1e-9, 1e3) if draw.likely(0.3) else draw.decades(1, 1e4) for _ in counts]
    given['times'] = [draw.decades(1e-6, 1e4) if draw.likely(0.5) else draw.whole(0, 30) for _ in range(draw.whole(1, 4))]
    return given


AGENCY = [[885, 82, 10, 2, 1, 0, 0, 0], [11, 1790, 150, 12, 3, 2, 0, 1], [3, 62, 2780, 148, 14, 6, 1, 2], [1, 8, 110, 2490, 92, 18, 4, 6],
          [0, 2, 9, 98, 1390, 120, 14, 15], [0, 1, 4, 11, 84, 1460, 96, 62], [0, 0, 1, 3, 8, 42, 160, 78], [0, 0, 0, 0, 0, 0, 0, 0]]
CHAIN = [[9, 1, 0, 0], [0, 9, 1, 0], [0, 0, 9, 1], [0, 0, 0, 0]]
STIFF = [[0, 5, 0, 1], [7, 0, 1, 0], [0, 1, 0, 2], [0, 0, 0, 0]]

SWEEPS = [dict(path=PATH, points=150, draw=draw, judge=judge,
               text='up to 5 ratings, counts 0 and 1e-3…5e4, exposures 1e-9…1e4, times 0…10,000 years; probabilities for the generator of the answer')]

VECTORS = dict(
    path=PATH, exact=checked, rel_tol=1e-12, abs_tol=1e-14,
    about='Generators of rating migration and probabilities of default',
    source='600 bits; logarithms checked by their exponentials, these by two scalings and by uniformisation; samples of a bootstrap drawn anew',
    cases=[
        ('three', 'logarithm', dict(transitions=[[90, 8, 2], [10, 80, 10], [0, 0, 1]])),
        ('agency', 'logarithm', dict(transitions=AGENCY)),
        ('agency_long', 'logarithm', dict(transitions=AGENCY, times=[0, 0.001, 30, 1000])),
        ('chain', 'logarithm', dict(transitions=CHAIN)),
        ('two', 'logarithm', dict(transitions=[[0.97, 0.03], [0, 1]])),
        ('default_alone', 'logarithm', dict(transitions=[[5]])),
        ('durations', 'duration', dict(transitions=AGENCY, exposures=[980, 1969, 3016, 2729, 1648, 1718, 292, 0.5], method='duration')),
        ('stiff', 'duration', dict(transitions=STIFF, exposures=[1e-9, 1e-8, 1e3, 1], method='duration', times=[1e-9, 0.25, 1, 30, 10000])),
        ('agency_intervals', 'bootstrap', dict(transitions=AGENCY, times=[1, 5], bootstrap_samples=30, random_state=-7)),
        ('chain_intervals', 'bootstrap', dict(transitions=CHAIN, times=[0, 0.5, 3], bootstrap_samples=40, confidence=0.5)),
        ('duration_intervals', 'bootstrap', dict(transitions=AGENCY, exposures=[980, 1969, 3016, 2729, 1648, 1718, 292, 0.5],
                                                 method='duration', times=[0.25, 10], bootstrap_samples=60, random_state=2 ** 40)),
        ('far', 'duration', dict(transitions=CHAIN, exposures=[1e4, 1e5, 1e6, 1], method='duration', times=[1e-6, 1])),
    ],
)
