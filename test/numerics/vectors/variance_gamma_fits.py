"""
Fits of Variance Gamma by scipy's least_squares from 20 random starts: a line of quotes in, a line with the parameters of the best fit out.

Prices are means of Black-Scholes prices over the gamma time, by the trapezoidal rule in its logarithm, right to about 1e-8 of the spot.
"""
import json
import sys

import numpy as np
from scipy.optimize import least_squares
from scipy.special import gammaln, gammainc, ndtr

STARTS = 20
REFUSED = 1e3


def prices(parameters, maturity, level, unit):
    """Options out of the money, of log moneyness `level` and discounted strike `unit`: columns of strikes."""
    sigma, theta, nu = parameters
    margin = 1 - theta * nu - sigma * sigma * nu / 2
    if not margin > 1e-6:
        return np.full(level.shape, REFUSED)
    a = maturity / nu
    low, high, count = (-12 / np.sqrt(a), 9 / np.sqrt(a), 120) if a > 5 else (max(-32, -36 / a), np.log(1 + 60 / a), 300)
    u, step = np.linspace(low, high, count, retstep=True)
    w = np.exp(u)
    weight = step * np.exp(a * np.log(a) - gammaln(a) + a * (u - w))
    m = (level + a * np.log(margin))[:, None] + (theta + sigma * sigma / 2) * maturity * w
    s = sigma * np.sqrt(maturity * w)
    side = np.where(level > 0, -1.0, 1.0)[:, None]
    value = side * (np.exp(m) * ndtr(side * (m / s + s / 2)) - ndtr(side * (m / s - s / 2)))
    never = np.maximum(side[:, 0] * np.expm1(level + a * np.log(margin)), 0) * gammainc(a, a * w[0])
    return unit * (value @ weight + never)


def fit(line, random):
    S, r, q = (line['market'][name] for name in ('spot', 'rate', 'dividendYield'))
    maturities = sorted({quote['maturity'] for quote in line['quotes']})
    groups = []
    for T in maturities:
        K, price = (np.array([quote[name] for quote in line['quotes'] if quote['maturity'] == T]) for name in ('strike', 'price'))
        groups.append((T, np.log(S / K) + (r - q) * T, K * np.exp(-r * T), price))

    def residuals(at):
        parameters = np.exp(at[0]), at[1], np.exp(at[2])
        found = [prices(parameters, T, level, unit) - price for T, level, unit, price in groups]
        return np.nan_to_num(np.concatenate(found), nan=REFUSED)

    best = None
    for _ in range(STARTS):
        start = np.array([np.log(random.uniform(0.05, 0.8)), random.uniform(-0.8, 0.4), np.log(0.01) + random.uniform() * np.log(300)])
        if residuals(start)[0] >= REFUSED / 2:
            start[1] = -0.1
        found = least_squares(residuals, start, ftol=1e-12, xtol=1e-12, gtol=1e-14, max_nfev=80)
        if best is None or found.cost < best.cost:
            best = found
    return dict(sigma=float(np.exp(best.x[0])), theta=float(best.x[1]), nu=float(np.exp(best.x[2])))


generator = np.random.default_rng(7)
for text in sys.stdin:
    print(json.dumps(fit(json.loads(text), generator)), flush=True)
