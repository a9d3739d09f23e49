"""Variance Gamma prices by two methods that share no formula: the inputs of the sweep and their judge."""
from gmpy2 import mpfr

from exact import LARGEST, short, verdict
from variance_gamma import ORDER, agreed, condition
from variance_gamma_greeks import DOMAIN, draw as draw_option

PATH = '/quantlib/models/variance-gamma/price'
TOLERANCE = mpfr('1e-12')
ROUNDINGS = 100 * mpfr(2) ** -53


def judge(given, output, refused):
    found = agreed(given)
    if isinstance(found, str):
        return dict(skipped=found)
    price = found[0]
    if refused:
        is_right = price > LARGEST / 2 or 'too extreme' in refused
        return dict(refused=True) if is_right else dict(wrong='refused, but the price is ' + short(price))
    got, allowed = mpfr(output['vg_call_price']), TOLERANCE * price
    if abs(got - price) > allowed:
        allowed = max(allowed, ROUNDINGS * condition(given, price) * price)
    return verdict([(got, price, allowed)])


def draw(draw):
    given = draw_option(draw)
    return {name: given[name] for name in ORDER}


SWEEPS = [dict(path=PATH, points=60, draw=draw, judge=judge, text=DOMAIN)]
