"""Implied volatilities of American prices: the price in 35 digits at the answer must be the price that was given."""
from gmpy2 import mpfr

from american_option import american, draw_option, option, stiffness
from exact import ULP, short

PATH = '/quantlib/pricing/american/implied-volatility'
STEP = mpfr(10) ** -7


def vega(given, volatility):
    up, down = (american(dict(given, volatility=volatility * (1 + one)))['price'] for one in (STEP, -STEP))
    return (up - down) / (2 * STEP * volatility)


def judge(given, output, refused):
    given = dict(given)
    price = mpfr(given.pop('price'))
    got = mpfr(output['implied_volatility']) if output else None
    if refused:
        return dict(refused=True) if 'cannot be computed' in refused else dict(wrong=refused)
    if got == 0:
        payoff = (given['spot'] - given['strike']) * (1 if given['option_type'] == 'call' else -1)
        return dict(share=0, error=0) if abs(price - payoff) <= 8 * ULP * (given['spot'] + given['strike']) else dict(wrong='0 for a price of ' + short(price))
    off = abs(american(dict(given, volatility=got))['price'] - price) / (mpfr('1e-10') * price)
    if off <= 1:
        return dict(share=float(off), error=0)
    return dict(wrong='the price at the answer is off by %.2g of the tolerance' % off)


def draw(draw):
    """Quoted at the exact price: no answer of the service."""
    while True:
        given = draw_option(draw)
        if stiffness(given) < 20 and given['risk_free_rate'] > 0:
            try:
                price = float(american(given)['price'])
            except ArithmeticError:
                continue
            del given['volatility']
            if price > 1e-6:
                return dict(price=price, **given)


def volatility(given):
    """One Newton step from the volatility whose price was rounded."""
    given = dict(given)
    price, taken = mpfr(given.pop('price')), VOLATILITIES[given['strike']]
    return taken - (american(dict(given, volatility=taken))['price'] - price) / vega(given, taken)


VOLATILITIES = {}


class Quotes:
    """Cases with the price of an option, computed only when they are asked for. Strikes tell them apart."""

    def __iter__(self):
        for name, family, given in (
            ('put', 'market', option(strike=103.0)), ('call', 'market', option('call', strike=104.0, dividend_yield=0.06)),
            ('passage', 'near_rates', option(dividend_yield=0.052)),
            ('negative', 'negative_rates', option(strike=101.0, risk_free_rate=-0.01, dividend_yield=-0.05, volatility=0.3)),
        ):
            price, taken = float(american(given)['price']), given.pop('volatility')
            VOLATILITIES[given['strike']] = mpfr(taken)
            yield name, family, dict(price=price, **given)


SWEEPS = [dict(path=PATH, points=12, draw=draw, judge=judge, text='as the American price with positive rates, at their exact prices')]
VECTORS = dict(path=PATH, result='implied_volatility', exact=volatility, rel_tol=1e-8, about='implied volatilities of American prices',
               source='a Newton step on the price in 120 bits', cases=Quotes())
