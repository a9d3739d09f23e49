"""Draws option prices over the whole accepted domain and writes the implied volatilities on which both methods agree.

python3 implied_volatility.py SEED COUNT OUTPUT: COUNT cases a family. Needs mpmath. The price is rounded to a double first, so
that the volatility is exact for the price as it is given, also where the price hardly depends on it. implied_volatility.json has seed 21 and 9 cases a family.
"""
import json
import math
import random
import sys

from mpmath import fabs, mpf, nstr, sqrt

from black_scholes_methods import closed_price, quadrature_price

AGREE = mpf(10) ** -40
TOLERANCE = 1e-14
MOST_CONDITION = 1e14


def log_uniform(low, high):
    return math.exp(random.uniform(math.log(low), math.log(high)))


def option(k, volatility=None, maturity=None, **changes):
    """Volatility, and an option whose forward is k deviations above the strike."""
    T = maturity or log_uniform(1e-3, 30)
    v = volatility or log_uniform(0.01, 2)
    case = dict(price=0, spot=log_uniform(1e-2, 1e4), strike=0, risk_free_rate=random.uniform(-0.1, 0.2),
                time_to_maturity=T, dividend_yield=random.choice([0, random.uniform(-0.05, 0.1)]),
                option_type=random.choice(['call', 'put']))
    case.update(changes)
    drift = (case['risk_free_rate'] - case['dividend_yield']) * T
    case['strike'] = case['spot'] * math.exp(drift - k * v * math.sqrt(T))
    return v, case


def in_the_money():
    kind = random.choice(['call', 'put'])
    return option(random.uniform(1, 7.5) * (1 if kind == 'call' else -1), option_type=kind)


def large_deviation():
    T = log_uniform(0.01, 10)
    return option(random.uniform(-5, 5), log_uniform(2, 14) / math.sqrt(T), T)


def steep_rates():
    T = log_uniform(1e-3, 1e3)
    r = random.uniform(-300, 300) / T
    return option(random.uniform(-8, 5), log_uniform(0.01, 2) / math.sqrt(T), T, risk_free_rate=r,
                  dividend_yield=r + random.uniform(-5, 5) / T)


FAMILIES = dict(
    market=lambda: option(random.gauss(0, 1.5)),
    near_the_money=lambda: option(random.choice([-1, 1]) * log_uniform(1e-9, 0.1)),
    far=lambda: option(random.uniform(-36, 36)),
    in_the_money=in_the_money,
    small_deviation=lambda: option(random.uniform(-8, 8), log_uniform(1e-12, 1e-3), log_uniform(1e-6, 10)),
    large_deviation=large_deviation,
    huge_and_tiny=lambda: option(random.uniform(-8, 5), spot=log_uniform(1e-150, 1e150)),
    steep_rates=steep_rates,
)


def newton(case, guess):
    """The deviation at which the closed form is the price."""
    price, s = mpf(case['price']), guess
    for _ in range(200):
        value, slope = closed_price(case, s)
        step = (price - value) / slope
        s += max(min(step, s), -s / 2)
        if fabs(step) < s * mpf(10) ** -45:
            return s
    return None


def secant(case, guess):
    """The same for the quadrature, from one percent above and below the first guess."""
    price = mpf(case['price'])
    a, b = guess * mpf('0.99'), guess * mpf('1.01')
    fa, fb = quadrature_price(case, a) - price, quadrature_price(case, b) - price
    for _ in range(40):
        if fb == fa:
            return b
        a, fa, b = b, fb, b - fb * (b - a) / (fb - fa)
        if not 0 < b < 100 * guess:
            return None
        if fabs(b - a) < b * mpf(10) ** -32:
            return b
        fb = quadrature_price(case, b) - price
    return None


def main():
    seed, count, output = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    random.seed(seed)
    lines = []
    for family, draw in FAMILIES.items():
        found = 0
        while found < count:
            volatility, case = draw()
            root = sqrt(mpf(case['time_to_maturity']))
            guess = mpf(volatility) * root
            case['price'] = float(closed_price(case, guess)[0])
            if not 1e-280 < case['price'] < 1e280:
                continue
            first = newton(case, guess)
            second = first and secant(case, first)
            if not second or fabs(first - second) > AGREE * first:
                continue
            condition = mpf(case['price']) / (closed_price(case, first)[1] * first)
            if condition > MOST_CONDITION:
                continue
            lines.append(json.dumps(dict(
                name=f'{family}_{found:03d}', family=family, input=case,
                expected=dict(implied_volatility=float(first / root)),
                exact=nstr(first / root, 40, min_fixed=1, max_fixed=0), rel_tol=float(f'{TOLERANCE + float(condition) * 2 ** -70:.2g}'), abs_tol=0,
                cond=float(nstr(condition, 3)), agree=float(nstr(fabs(first / second - 1), 2)))))
            found += 1
    with open(output, 'w') as file:
        file.write('{"path":"/quantlib/pricing/bs/implied-volatility","result":"implied_volatility",\n'
                   '"about":"volatility at which the European Black-Scholes-Merton price is exactly the given double; cond = '
                   'price/(vega*volatility)",\n'
                   '"source":"mpmath, 90 digits: Newton steps on the closed form (erfc), and secant steps on the quadrature of the '
                   'payoff; inputs are exact float64 values",\n'
                   '"cases":[\n' + ',\n'.join(lines) + '\n]}\n')


main()
