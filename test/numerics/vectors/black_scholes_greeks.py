"""Draws options over the whole accepted domain and writes the Greeks on which both methods agree as reference vectors.

python3 black_scholes_greeks.py SEED COUNT OUTPUT: COUNT cases a family. Needs mpmath.
black_scholes_greeks.json has seed 20 and 15 cases a family.
"""
import json
import math
import random
import sys

from mpmath import fabs, mpf, nstr

from black_scholes_methods import FIELDS, closed_greeks, quadrature_greeks

AGREE = mpf(10) ** -40
TOLERANCE = 1e-14


def log_uniform(low, high):
    return math.exp(random.uniform(math.log(low), math.log(high)))


def option(k, volatility=None, maturity=None, **changes):
    """An option whose forward is k deviations above the strike."""
    v = volatility or log_uniform(0.01, 2)
    T = maturity or log_uniform(1e-3, 30)
    case = dict(spot=log_uniform(1e-2, 1e4), strike=0, risk_free_rate=random.uniform(-0.1, 0.2), volatility=v,
                time_to_maturity=T, dividend_yield=0, option_type=random.choice(['call', 'put']))
    case['dividend_yield'] = random.choice([0, case['risk_free_rate'], random.uniform(-0.05, 0.1)])
    case.update(changes)
    drift = (case['risk_free_rate'] - case['dividend_yield']) * T
    case['strike'] = case['spot'] * math.exp(drift - k * v * math.sqrt(T))
    return case


def steep_rates():
    T = log_uniform(1e-3, 1e3)
    r = random.uniform(-500, 500) / T
    return option(random.uniform(-20, 20), log_uniform(0.01, 2) / math.sqrt(T), T, risk_free_rate=r,
                  dividend_yield=r + random.uniform(-5, 5) / T)


def flat(**changes):
    case = option(random.choice([-1, 1]) * log_uniform(0.1, 3))
    case.update(changes)
    return case


FAMILIES = dict(
    market=lambda: option(random.gauss(0, 1.5)),
    far=lambda: option(random.uniform(-36, 36)),
    small_deviation=lambda: option(random.uniform(-20, 20), log_uniform(1e-12, 1e-3), log_uniform(1e-6, 10)),
    large_deviation=lambda: option(random.uniform(-10, 10), log_uniform(2, 30), log_uniform(0.5, 2)),
    huge_and_tiny=lambda: option(random.uniform(-20, 20), log_uniform(1e-4, 1), spot=log_uniform(1e-150, 1e150)),
    steep_rates=steep_rates,
    sigma_zero=lambda: flat(volatility=0),
    T_zero=lambda: flat(time_to_maturity=0),
)


def judged(case):
    """Both methods, largest relative difference, and the cancellation in theta; flat payoffs are limits from above."""
    if case['volatility'] == 0 or case['time_to_maturity'] == 0:
        limits = []
        for tiny in (1e-60, 1e-70):
            limit = dict(case)
            limit['volatility'] = case['volatility'] or tiny
            limit['time_to_maturity'] = case['time_to_maturity'] or mpf(tiny)
            greeks, scale = closed_greeks(limit)
            limits.append({k: v if fabs(v) > 1e-50 else mpf(0) for k, v in greeks.items()})
        first, second = limits
    else:
        first, scale = closed_greeks(case)
        second = quadrature_greeks(case)
    agree = max(fabs(first[k] - second[k]) / (scale if k == 'theta' else fabs(second[k]) or 1) for k in FIELDS)
    cancelled = max(1, scale / fabs(first['theta'])) if first['theta'] else 1
    return first, agree, float(cancelled)


def main():
    seed, count, output = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    random.seed(seed)
    lines = []
    for family, draw in FAMILIES.items():
        found = 0
        while found < count:
            case = draw()
            greeks, agree, cancelled = judged(case)
            if agree > AGREE or any(0 < fabs(v) < 1e-280 or fabs(v) > 1e280 for v in greeks.values()):
                continue
            lines.append(json.dumps(dict(
                name=f'{family}_{found:03d}', family=family, input=case,
                expected={**{k: float(greeks[k]) for k in FIELDS}, 'option_type': case['option_type']},
                exact={k: nstr(greeks[k], 40, min_fixed=1, max_fixed=0) for k in FIELDS},
                rel_tol=float(f'{TOLERANCE * cancelled:.2g}'), abs_tol=0, agree=float(f'{float(agree):.2g}'))))
            found += 1
    with open(output, 'w') as file:
        file.write('{"path":"/quantlib/pricing/bs/greeks",\n'
                   '"about":"Greeks of the European Black-Scholes-Merton price with continuous dividend yield; at volatility 0 or '
                   'maturity 0 those of the discounted payoff of the forward",\n'
                   '"source":"mpmath 90-digit closed form (erfc), and quadrature of the derivatives along each path; limits at '
                   'volatility or maturity 0 by the closed form at 1e-60 and 1e-70; inputs are exact float64 values",\n'
                   '"cases":[\n' + ',\n'.join(lines) + '\n]}\n')


main()
