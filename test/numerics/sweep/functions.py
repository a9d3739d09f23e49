"""Finite differences, logarithmic utility and Shannon entropy in several hundred bits."""
import math

import gmpy2
from gmpy2 import log, mpfr

from exact import LARGEST, LEAST_NORMAL, SMALLEST, ULP, context, short, verdict

FUNCTIONS = dict(exp=gmpy2.exp, log=gmpy2.log, sin=gmpy2.sin, cos=gmpy2.cos, sqrt=gmpy2.sqrt, tan=gmpy2.tan,
                 x2=lambda x: x * x, x3=lambda x: x * x * x)


def judge_derivative(given, output, refused):
    """
    Each of the two values may be wrong by one unit in its last place, and the quotient by two roundings. Values below the normal
    doubles may have lost their digits, but not their quotient.
    """
    context.precision = 3000
    name, x, h = given['func_name'], given['x'], given['h']
    lower = x if given['method'] == 'forward' else x - h
    upper = x if given['method'] == 'backward' else x + h
    if refused and (x + h == x or given['method'] != 'forward' and x - h == x or not (math.isfinite(lower) and math.isfinite(upper))):
        return dict(refused=True)
    if name == 'log' and lower <= 0 or name == 'sqrt' and lower < 0 or name == 'tan' and has_pole(lower, upper):
        return dict(refused=True) if refused else dict(wrong='not defined between the points')
    a, b, step = FUNCTIONS[name](mpfr(upper)), FUNCTIONS[name](mpfr(lower)), mpfr(upper) - mpfr(lower)
    exact = (a - b) / step
    # The step is rounded once more.
    if name in ('exp', 'x2', 'x3') and max(abs(a), abs(b)) < LEAST_NORMAL:
        allowed = 8 * ULP * abs(exact) + 2 * SMALLEST
    else:
        allowed = (ULP * (abs(a) + abs(b)) + 2 * SMALLEST) / step + 2 * ULP * abs(exact)
    if refused:
        overflow = not gmpy2.is_finite(exact) or abs(exact) > LARGEST / (1 + 4 * ULP) or abs(exact) + allowed > LARGEST
        return dict(refused=True) if overflow else dict(wrong='refused, but it is ' + short(exact))
    found = verdict([(output['derivative'], exact, allowed)])
    # Against the rounding of the two values, which any difference has.
    if 'error' in found:
        size = max(abs(a), abs(b))
        inside = size > LEAST_NORMAL and abs(exact) > LEAST_NORMAL
        found['error'] = float(abs(mpfr(output['derivative']) - exact) * step / size) if inside else 0.0
    return found


def has_pole(lower, upper):
    turns = lambda x: gmpy2.floor(mpfr(x) / gmpy2.const_pi() + mpfr(1) / 2)
    return turns(lower) != turns(upper)


def judge_utility(given, output, refused):
    context.precision = 300
    wealth = mpfr(given['wealth'])
    if refused:
        return dict(refused=True) if 1 / wealth > LARGEST else dict(wrong='refused')
    pairs = [('utility', log(wealth)), ('marginal_utility', 1 / wealth), ('absolute_risk_aversion', 1 / wealth),
             ('relative_risk_aversion', mpfr(1))]
    return verdict([(output[name], exact, 2 * ULP * abs(exact)) for name, exact in pairs])


def judge_entropy(given, output, refused):
    """The tolerance is relative to the sum of the sizes of the terms: where some p exceeds 1, they may cancel."""
    context.precision = 400
    values = [mpfr(p) for p in given['probabilities']]
    if refused:
        return dict(refused=True) if abs(sum(values) - 1) > mpfr('9.99999e-7') else dict(wrong='refused: ' + refused)
    unit = log(mpfr(given['base']))
    terms = [-p * log(p) / unit for p in values if p > 0]
    scale = sum(map(abs, terms))
    return verdict([(output['shannon_entropy'], sum(terms, mpfr(0)), mpfr('1e-14') * scale)])


def draw_derivative(draw):
    name = draw.pick('exp', 'log', 'sin', 'cos', 'sqrt', 'tan', 'x2', 'x3')
    size = (draw.any_positive() if draw.likely(0.2) else
            draw.decades(1e-6, 1e6) if draw.likely(0.4) else draw.between(0, 700))
    x = size if name in ('log', 'sqrt') and draw.likely(0.95) else draw.sign() * size
    h = (abs(x) * draw.decades(1e-15, 1) if draw.likely(0.7) else
         draw.decades(1e-12, 10) if draw.likely(0.5) else draw.any_positive())
    return dict(func_name=name, x=x, h=h if h > 0 else 1e-7, method=draw.pick('central', 'forward', 'backward'))


def draw_distribution(draw):
    weights = [0 if draw.likely(0.1) else draw.decades(1e-300, 1) if draw.likely(0.3) else draw.fraction()
               for _ in range(draw.whole(1, 200))]
    weights[0] += 1e-3
    slack = 1 + draw.between(-9.9e-7, 9.9e-7) if draw.likely(0.3) else 1
    base = (2 if draw.likely(0.3) else math.e if draw.likely(0.3) else
            1 + draw.sign() * draw.decades(2.3e-16, 0.5) if draw.likely(0.2) else draw.any_positive())
    return dict(probabilities=[weight / sum(weights) * slack for weight in weights], base=10 if base == 1 else base)


SWEEPS = [
    dict(path='/quantlib/numerical/differentiation/derivative', points=1000, draw=draw_derivative, judge=judge_derivative,
         text='all functions and methods, x 1e-300…1e300 of either sign, h 5e-324…1e308'),
    dict(path='/quantlib/economics/utility/log', points=1000, judge=judge_utility, text='wealth 5e-324…1.8e308',
         draw=lambda draw: dict(wealth=1 + draw.sign() * draw.decades(1e-16, 0.9) if draw.likely(0.3) else draw.any_positive())),
    dict(path='/quantlib/physics/entropy/shannon', points=200, draw=draw_distribution, judge=judge_entropy,
         text='1…200 probabilities from 1e-300, sums off by up to 1e-6, bases from 5e-324 to 1.8e308'),
]
