"""
Counts of rating histories in whole numbers and fractions: each entity is a list of spells, which is asked for the rating at each look,
and cut into the spans of each rating. Dates are those of Python's calendar.
"""
from calendar import monthrange
from datetime import date, timedelta

from gmpy2 import mpfr, mpq

from exact import ULP, context, verdict

PATH = '/quantlib/ml/credit/rating-history'
DEFAULTS = dict(method='cohort', period=1, withdrawn=['NR', 'WR'])
YEAR = mpq(1461, 4)


def number(text):
    return mpq(date.fromisoformat(text).toordinal())


def later(day, months):
    """So many months later; the last day of a month stays the last."""
    first = date.fromordinal(int(day))
    year, month = divmod(12 * first.year + first.month - 1 + months, 12)
    last = monthrange(year, month + 1)[1]
    is_last = first.day == monthrange(first.year, first.month)[1]
    return mpq(date(year, month + 1, last if is_last else min(first.day, last)).toordinal())


def looks_of(given, start, end):
    period, found = mpq(given['period']), []
    months = 12 * period
    while not found or found[-1] <= end:
        k = len(found)
        if 'dates' not in given:
            found.append(start + k * period)
        else:
            found.append(later(start, int(months) * k) if months.denominator == 1 else start + k * period * YEAR)
    return found[:-1]


def spells(rows, end):
    """(from, to, rating) of one entity: of several rows at a time the last one, and nothing after default."""
    by_time = {}
    for time, rating in rows:
        by_time[time] = rating
    times, found = sorted(by_time), []
    for time, then in zip(times, [*times[1:], None]):
        if time > end:
            break
        is_default = by_time[time] == 'default'
        found.append((time, None if is_default else then, by_time[time]))
        if is_default:
            break
    return found


def exact(given):
    context.precision = 200
    given = dict(DEFAULTS, **given)
    is_dated, order, is_cohort = 'dates' in given, given['order'], given['method'] == 'cohort'
    instant = number if is_dated else mpq
    start, end = instant(given['start']), instant(given['end'])
    entities = {}
    for entity, time, rating in zip(given['entities'], given['dates'] if is_dated else given['times'], given['ratings']):
        kind = None if rating in given['withdrawn'] else 'default' if rating == order[-1] else rating
        entities.setdefault(entity, []).append((instant(time), kind))
    places = {**{rating: place for place, rating in enumerate(order[:-1])}, 'default': len(order) - 1}
    moves = [[0] * len(order) for _ in order]
    spent, unrated, rated, withdrawn = [mpq(0)] * len(order), mpq(0), 0, 0
    for rows in entities.values():
        own = spells(rows, end)
        inside = [(max(since, start), min(end if until is None else until, end), rating) for since, until, rating in own]
        for since, until, rating in inside:
            if until > since and rating is None:
                unrated += until - since
            elif until > since and rating != 'default':
                spent[places[rating]] += until - since
        if is_cohort:
            at = lambda time: next((rating for since, until, rating in own if since <= time and (until is None or time < until)), 'none')
            seen = [at(look) for look in looks_of(given, start, end)]
            pairs = [pair for pair in zip(seen, seen[1:]) if pair[0] not in ('none', 'default', None)]
            rated += bool(pairs)
        else:
            rated += any(until > since and rating not in (None, 'default') for since, until, rating in inside)
            pairs = [(one[2], other[2]) for one, other in zip(own, own[1:])
                     if one[2] is not None and one[2] != other[2] and start < other[0] <= end]
        for before, after in pairs:
            if after is None:
                withdrawn += 1
            else:
                moves[places[before]][places[after]] += 1
    unit = YEAR if is_dated else 1
    exposures = {} if is_cohort else dict(exposures=[mpfr(time / unit) for time in spent])
    return dict(ratings=order, transitions=moves, **exposures, entities=rated, withdrawals=withdrawn, unrated_years=mpfr(unrated / unit))


def judge(given, output, refused):
    if refused:
        return dict(wrong='refused: ' + refused)
    found = exact(given)
    for name in ('ratings', 'transitions', 'entities', 'withdrawals'):
        if output[name] != found[name]:
            return dict(wrong='%s: %s instead of %s' % (name, output[name], found[name]))
    pairs = zip([output['unrated_years'], *output.get('exposures', [])], [found['unrated_years'], *found.get('exposures', [])])
    return verdict([(got, want, 4 * ULP * abs(want)) for got, want in pairs])


def draw(draw):
    order = ['A', 'B', 'C', 'D'][-draw.whole(2, 4):]
    rows = draw.whole(1, 80)
    entities = [draw.pick(1, 2, 3, 4, 5, 6, 7) for _ in range(rows)]
    ratings = [draw.pick('NR', 'WR', *order, *order[:-1], *order[:-1]) for _ in range(rows)]
    given = dict(entities=entities, ratings=ratings, order=order, method=draw.pick('cohort', 'duration'))
    if draw.likely(0.5):
        first = date(2000, 1, 31) + timedelta(draw.whole(0, 400))
        last = first + timedelta(draw.whole(800, 2000))
        some = [first.replace(day=1), first, *[date(2000 + year, 2, 28) for year in range(6)]]
        days = [draw.pick(*some) if draw.likely(0.2) else first + timedelta(draw.whole(-400, 2200)) for _ in range(rows)]
        given.update(dates=[str(day) for day in days], start=str(first), end=str(last), period=draw.pick(0.25, 0.5, 1, 2))
    else:
        start = draw.whole(-64, 64) / 64
        given.update(times=[start + draw.whole(-64, 400) / 64 for _ in range(rows)], start=start, end=start + draw.whole(128, 400) / 64,
                     period=draw.whole(1, 128) / 64)
    return given


NAMES = dict(
    entities=['Alfa', 'Beta', 'Ceres', 'Alfa', 'Beta', 'Ceres', 'Alfa', 'Beta', 'Delta', 'Delta'],
    dates=['2019-12-31', '2019-12-31', '2020-03-31', '2020-06-30', '2021-09-15', '2021-06-30', '2022-12-31', '2022-01-01', '2020-02-29',
           '2020-02-29'],
    ratings=['A', 'B', 'A', 'B', 'D', 'NR', 'A', 'A', 'A', 'B'], order=['A', 'B', 'D'], start='2019-12-31', end='2022-12-31')
YEARS = dict(entities=[7, 7, 7, 7, 9, 9, 9], times=[0, 1.5, 2.5, 4, 3, -1, 3], ratings=['AA', 'WR', 'BB', 'D', 'BB', 'AA', 'AA'],
             order=['AA', 'BB', 'D'], start=0.5, end=5)

SWEEPS = [dict(path=PATH, points=500, draw=draw, judge=judge,
               text='up to 80 rows of 7 entities, 2 to 4 ratings and two withdrawn ones; dates of six years, or years in 64ths')]

VECTORS = dict(
    path=PATH, exact=exact, rel_tol=1e-15, abs_tol=0,
    about='Counts of rating histories by cohorts and durations', source='a second implementation by spells, in fractions',
    cases=[
        ('dates', 'cohort', NAMES),
        ('quarters', 'cohort', dict(NAMES, period=0.25)),
        ('two_years', 'cohort', dict(NAMES, period=2, start='2020-02-29')),
        ('days', 'cohort', dict(NAMES, period=0.1, end='2021-12-31')),
        ('years', 'cohort', YEARS),
        ('spent', 'duration', dict(NAMES, method='duration')),
        ('other_withdrawn', 'duration', dict(NAMES, method='duration', ratings=[dict(NR='gone').get(one, one) for one in NAMES['ratings']],
                                             withdrawn=['gone'])),
        ('spent_years', 'duration', dict(YEARS, method='duration')),
    ],
)
