"""Exercise boundaries of American options in 35 digits, of which about 17 are right."""
import gmpy2
from gmpy2 import mpfr

from american_option import Region, draw_option, in_units, option, stiffness
from exact import verdict

PATH = '/quantlib/pricing/american/boundary'


def critical_prices(given):
    r, q, _, horizon, _ = in_units(given)
    K = mpfr(given['strike'])

    def at(time):
        """By a boundary that ends there."""
        t = horizon * mpfr(time) / mpfr(given['time_to_maturity'])
        region = Region(r, q, t if t > 0 else horizon / 1000000)
        if region.upper is None:
            return []
        if region.lower is not None and t > region.end:
            return []
        found = [region.upper] if region.lower is None else [region.lower, region.upper]
        logs = [one.log_at(t) if t > 0 else gmpy2.log(one.limit) for one in found]
        sign = 1 if given['option_type'] == 'put' else -1
        return sorted(K * gmpy2.exp(sign * log) for log in logs)

    return [at(time) for time in given['times']]


def judge(given, output, refused):
    if refused:
        return dict(refused=True) if stiffness(given) > 59.9 else dict(wrong=refused)
    try:
        found = critical_prices(given)
    except ArithmeticError as error:
        return dict(skipped=str(error))
    pairs = []
    for got, exact in zip(output['critical_prices'], found):
        if len(got) != len(exact):
            return dict(wrong='%d critical prices, not %d' % (len(got), len(exact)))
        pairs += [(one, other, mpfr('1e-8') * other) for one, other in zip(got, exact)]
    return verdict(pairs)


def draw(draw):
    given = draw_option(draw)
    T = given['time_to_maturity']
    return dict(given, times=[0, T * draw.decades(1e-4, 1), T])


SWEEPS = [dict(path=PATH, points=15, draw=draw, judge=judge, text='as the price, at expiry, maturity and one time between')]

TWO = dict(risk_free_rate=-0.01, dividend_yield=-0.03, volatility=0.1, time_to_maturity=2.0, times=[0.0, 0.5, 2.0])
VECTORS = dict(
    path=PATH, exact=lambda given: dict(critical_prices=critical_prices(given)), rel_tol=1e-8, about='exercise boundaries of American options',
    source='value matching at Chebyshev points in 120 bits, about 17 digits',
    cases=[
        ('put', 'market', option(times=[0.0, 0.001, 0.1, 1.0])), ('call', 'market', option('call', dividend_yield=0.06, times=[0.0, 0.25, 1.0])),
        ('yield_above_rate', 'market', option(dividend_yield=0.08, times=[0.0, 0.01, 0.5, 1.0])),
        ('two', 'negative_rates', option(**TWO)), ('two_of_a_call', 'negative_rates', option('call', **{**TWO, 'risk_free_rate': -0.03, 'dividend_yield': -0.01})),
        ('they_meet', 'negative_rates', option(risk_free_rate=-0.03, dividend_yield=-0.04, volatility=0.3, times=[0.01, 1.0])),
        ('none', 'negative_rates', option(risk_free_rate=-0.02, dividend_yield=0.01, times=[1.0])),
    ],
)
