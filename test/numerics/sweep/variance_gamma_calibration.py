"""Fits of Variance Gamma in 40 digits: reference vectors, the inputs of the sweep, and their judge.

A fit is judged by the step that Gauss–Newton would take from it with exact prices and derivatives, which must be small, and by
scipy's `least_squares` from 20 starts on prices by another sum over the gamma time, which must find nothing better.
"""
import gmpy2
import numpy
from gmpy2 import exp, log, mpfr, sqrt
from scipy.optimize import least_squares
from scipy.special import gammainc, gammaln, ndtr

from exact import context, short
from variance_gamma_greeks import greeks

PATH = '/quantlib/models/variance-gamma/calibrate'
STARTS = 20
"""Of a price, as a share of the spot and the strike together."""
PRICE = mpfr('1e-12')
LEAST_NU, MOST_CONDITION = 1e-6, 1e7


def black_scholes(given, quote):
    S, K, T = mpfr(given['S']), mpfr(quote['K']), mpfr(quote['T'])
    spot, strike = S * exp(-mpfr(given.get('q', 0)) * T), K * exp(-mpfr(given['r']) * T)
    sign = 1 if quote.get('option_type', 'call') == 'call' else -1
    s = mpfr(quote['implied_volatility']) * sqrt(T)
    if s == 0:
        return max(mpfr(0), sign * (spot - strike))
    d = log(spot / strike) / s + s / 2
    normal = lambda x: gmpy2.erfc(-x / sqrt(mpfr(2))) / 2
    return sign * (spot * normal(sign * d) - strike * normal(sign * (d - s)))


def quoted(given):
    return [mpfr(quote['price']) if 'price' in quote else black_scholes(given, quote) for quote in given['quotes']]


def weights(given):
    return [mpfr(quote.get('weight', 1)) for quote in given['quotes']]


def model(given, parameters):
    """Residuals, and rows of their derivatives by ln sigma, theta·sqrt(nu)/sigma and ln nu."""
    sigma, theta, nu = parameters
    residuals, rows = [], []
    for quote, price in zip(given['quotes'], quoted(given)):
        option = dict(S=given['S'], K=quote['K'], T=quote['T'], r=given['r'], q=given.get('q', 0), sigma=0.2, theta_vg=0, nu=0.2,
                      option_type=quote.get('option_type', 'call'))
        context.precision = 140
        found = greeks(option, [mpfr(one) for one in (given['S'], quote['K'], quote['T'], given['r'], sigma, theta, nu, given.get('q', 0))])
        residuals.append(found[0] - price)
        rows.append([sigma * found[3], sigma / sqrt(nu) * found[4], nu * found[5]])
    return residuals, rows


def products(rows, factors):
    return [[sum(w * row[i] * row[j] for w, row in zip(factors, rows)) for j in range(3)] for i in range(3)]


def inverse(a):
    minor = lambda i, j: [[a[k][l] for l in range(3) if l != j] for k in range(3) if k != i]
    cofactor = lambda i, j: (-1) ** (i + j) * (minor(i, j)[0][0] * minor(i, j)[1][1] - minor(i, j)[0][1] * minor(i, j)[1][0])
    whole = sum(a[0][j] * cofactor(0, j) for j in range(3))
    return [[cofactor(j, i) / whole for j in range(3)] for i in range(3)]


def condition(a):
    """The root of the ratio of the eigenvalues, by Jacobi's rotations."""
    a = [row[:] for row in a]
    for _ in range(60):
        for p, q in ((0, 1), (0, 2), (1, 2)):
            if a[p][q] == 0:
                continue
            zeta = (a[q][q] - a[p][p]) / (2 * a[p][q])
            t = (1 if zeta >= 0 else -1) / (abs(zeta) + sqrt(zeta * zeta + 1))
            c = 1 / sqrt(t * t + 1)
            for k in range(3):
                a[k][p], a[k][q] = c * (a[k][p] - t * a[k][q]), c * (a[k][q] + t * a[k][p])
            for k in range(3):
                a[p][k], a[q][k] = c * (a[p][k] - t * a[q][k]), c * (a[q][k] + t * a[p][k])
    values = [a[i][i] for i in range(3)]
    return sqrt(max(values) / min(values))


def statistics(given, parameters):
    """The step of Gauss–Newton in the coordinates of `model`, and what the reply says beside the parameters."""
    residuals, rows = model(given, parameters)
    factors = weights(given)
    normal = products(rows, factors)
    back = inverse(normal)
    gradient = [sum(w * row[i] * r for w, row, r in zip(factors, rows, residuals)) for i in range(3)]
    step = [-sum(back[i][j] * gradient[j] for j in range(3)) for i in range(3)]
    squares = sum(w * r * r for w, r in zip(factors, residuals))
    free = sum(w > 0 for w in factors) - 3
    sigma, _, nu = parameters
    scale = (sigma, sigma / sqrt(nu), nu)
    errors = [sqrt(squares / free * back[i][i]) * scale[i] for i in range(3)] if free > 0 else None
    return dict(step=step, residuals=residuals, squares=squares, rmse=sqrt(squares / sum(factors)), errors=errors,
                condition=condition(normal))


class Prices:
    """Prices of all quotes in double precision: a sum over some hundred gamma times for each maturity."""

    def __init__(self, given):
        self.given = given
        self.prices = numpy.array([float(price) for price in quoted(given)])
        self.factors = numpy.sqrt([float(weight) for weight in weights(given)])

    def __call__(self, sigma, theta, nu):
        given, found = self.given, numpy.empty(len(self.prices))
        margin = 1 - theta * nu - sigma * sigma * nu / 2
        if not margin > 1e-9:
            return None
        for T in {quote['T'] for quote in given['quotes']}:
            own = [i for i, quote in enumerate(given['quotes']) if quote['T'] == T]
            K = numpy.array([given['quotes'][i]['K'] for i in own])
            call = numpy.array([given['quotes'][i].get('option_type', 'call') == 'call' for i in own])
            spot, strike = given['S'] * numpy.exp(-given.get('q', 0) * T), K * numpy.exp(-given['r'] * T)
            a = T / nu
            step = 0.25 / (a + 6) ** 0.5
            u = numpy.arange(-min(60, 40 / a + 12 / a ** 0.5), numpy.log(1 + 45 / a + 10 / a ** 0.5), step)
            w = numpy.exp(u)
            level = (numpy.log(spot / strike) + a * numpy.log1p(margin - 1))[:, None]
            density = step * numpy.exp(a * (u + 1 - w) + a * numpy.log(a) - a - gammaln(a))
            m, s = level + (theta + sigma * sigma / 2) * T * w, sigma * numpy.sqrt(T * w)
            d2 = m / s - s / 2
            put = ndtr(-d2) - numpy.exp(numpy.minimum(m, 700)) * ndtr(-d2 - s)
            rest = gammainc(a, a * numpy.exp(u[0] - step / 2))
            value = strike * (put @ density + numpy.maximum(0, 1 - numpy.exp(level[:, 0])) * rest)
            found[own] = numpy.where(call, value + spot - strike, value)
        return found

    def residuals(self, at, volatility):
        found = self(numpy.exp(at[0]), at[1] * volatility, numpy.exp(at[2]))
        if found is None or not numpy.all(numpy.isfinite(found)):
            return numpy.full(len(self.prices), 10 * self.given['S'])
        return self.factors * (found - self.prices)


def by_scipy(given):
    """The least sum of squares from 20 starts, and its parameters."""
    prices = Prices(given)
    volatility, times = 0.25, [quote['T'] for quote in given['quotes']]
    random = numpy.random.default_rng(1)
    best = None
    for _ in range(STARTS):
        nu = numpy.exp(random.uniform(-4, 1.5)) * numpy.exp(numpy.mean(numpy.log(times)))
        skew = random.uniform(-0.9, 0.9)
        start = [numpy.log(volatility * random.uniform(0.5, 2)), skew / numpy.sqrt(nu), numpy.log(nu)]
        if prices(numpy.exp(start[0]), start[1] * volatility, nu) is None:
            continue
        try:
            found = least_squares(prices.residuals, start, args=(volatility,), x_scale='jac', xtol=1e-13, ftol=1e-13, gtol=1e-13, max_nfev=100)
        except ValueError:
            continue
        if best is None or found.cost < best.cost:
            best = found
    sigma, theta, nu = numpy.exp(best.x[0]), best.x[1] * volatility, numpy.exp(best.x[2])
    return 2 * best.cost, [float(sigma), float(theta), float(nu)]


def judge(given, output, refused):
    if refused:
        return dict(wrong='refused')
    parameters = [mpfr(output[name]) for name in ('sigma', 'theta_vg', 'nu')]
    best, at = by_scipy(given)
    factors = weights(given)
    size = given['S'] + max(quote['K'] for quote in given['quotes'])
    squares = mpfr(output['rmse']) ** 2 * sum(factors)
    is_worse = lambda least: squares > least * (1 + mpfr('1e-6')) + sum(factors) * (10 * PRICE * size) ** 2
    if is_worse(best):
        # Its prices are rounded to some 1e-9: what counts are exact prices at its parameters.
        residuals, _ = model(given, [mpfr(one) for one in at])
        best = sum(w * r * r for w, r in zip(factors, residuals))
    if is_worse(best):
        return dict(wrong='scipy finds %s, which is better by %s' % (at, short(squares / best)))
    if not output['identifiable'] and parameters[2] < LEAST_NU:
        return dict(skipped='nu tends to 0')
    found = statistics(given, parameters)
    kappa = found['condition']
    if kappa > MOST_CONDITION / 2 or not output['identifiable']:
        known = kappa > MOST_CONDITION / 2 or float(found['squares']) > 0 and not output['identifiable']
        return dict(share=0, error=0) if known else dict(wrong='identifiable at a condition of %s' % short(kappa))
    pairs = [(abs(one), mpfr('1e-8') + mpfr('1e-11') * kappa) for one in found['step']]
    pairs += [(abs(mpfr(got) - one), 10 * PRICE * size) for got, one in zip(output['residuals'], found['residuals'])]
    pairs += [(abs(mpfr(output['rmse']) - found['rmse']), 10 * PRICE * size),
              (abs(mpfr(output['condition_number']) - kappa), mpfr('1e-9') * kappa * kappa)]
    if found['errors'] and found['squares'] > sum(factors) * (1000 * PRICE * size) ** 2:
        pairs += [(abs(mpfr(output['standard_errors'][name]) - one), (mpfr('1e-7') + mpfr('1e-10') * kappa) * one)
                  for name, one in zip(('sigma', 'theta_vg', 'nu'), found['errors'])]
    return dict(share=max(float(off / allowed) for off, allowed in pairs), error=max(float(abs(one)) for one in found['step']))


def surface(draw, quotes, noise):
    """Quotes out of the money at prices of the model and, with noise, of another one whose smile it cannot fit."""
    while True:
        sigma, nu, theta = draw.between(0.08, 0.5), draw.decades(0.02, 2), draw.between(-0.6, 0.15)
        if 1 - theta * nu - sigma * sigma * nu / 2 > 0.05:
            break
    maturities, strikes = quotes
    total = (sigma * sigma + theta * theta * nu) ** 0.5
    given = dict(S=100, r=draw.between(-0.01, 0.06), q=draw.between(0, 0.04), quotes=[])
    for T in maturities:
        for k in range(strikes):
            x = (2 * k / max(1, strikes - 1) - 1) * 2 * total * T ** 0.5
            K = 100 * numpy.exp(x + (given['r'] - given['q']) * T)
            given['quotes'].append(dict(K=float(K), T=T, option_type='put' if x < 0 else 'call', price=0.0))
    found = Prices(given)(sigma, theta, nu)
    for quote, price in zip(given['quotes'], found):
        price = max(float(price), 1e-9)
        if noise == 'tick':
            price = max(0.01, round(price * 100) / 100)
        if noise == 'smile':
            x = numpy.log(quote['K'] / 100) / (total * quote['T'] ** 0.5)
            del quote['price']
            quote['implied_volatility'] = float(total * (1 - 0.15 * x + 0.06 * x * x + draw.between(-0.01, 0.01)))
        else:
            quote['price'] = price
        if draw.likely(0.2):
            quote['weight'] = draw.between(0, 4)
    return given


def draw(draw):
    quotes = draw.pick(((0.08, 0.25, 0.5, 1, 2), 15), ((0.25, 1), 7), ((0.5,), 9), ((0.1, 1, 3), 2))
    return surface(draw, quotes, draw.pick('tick', 'tick', 'smile'))


SWEEPS = [dict(path=PATH, points=12, draw=draw, judge=judge,
               text='surfaces of 6 to 75 quotes, prices rounded to a tick of 0.01, and smiles that the model does not fit; against 20 starts of scipy')]


def fitted(given):
    """The minimum, by Gauss–Newton in 40 digits from the best fit of scipy."""
    context.precision = 140
    parameters = [mpfr(one) for one in by_scipy(given)[1]]
    for _ in range(80):
        found = statistics(given, parameters)
        d_sigma, d_theta, d_nu = found['step']
        sigma, theta, nu = parameters
        parameters = [sigma * exp(d_sigma), theta + d_theta * sigma / sqrt(nu), nu * exp(d_nu)]
        if max(map(abs, found['step'])) < mpfr(10) ** -30:
            break
    else:
        raise ArithmeticError('no convergence')
    sigma, theta, nu = parameters
    names = ('sigma', 'theta_vg', 'nu')
    return dict(sigma=sigma, theta_vg=theta, nu=nu, rmse=found['rmse'], identifiable=True,
                standard_errors=dict(zip(names, found['errors'])), condition_number=found['condition'],
                residuals=list(found['residuals']))


def example(volatilities, **others):
    return dict(S=100.0, r=0.05, quotes=[dict(K=K, T=0.5, implied_volatility=one) for K, one in volatilities], **others)


def prices(quotes, **others):
    return dict(S=100.0, r=0.03, q=0.01, quotes=[dict(K=K, T=T, price=price, option_type=kind, weight=weight) for K, T, price, kind, weight in quotes], **others)


VECTORS = dict(
    path=PATH, exact=fitted, rel_tol=1e-8, abs_tol=1e-10,
    about='parameters of Variance Gamma with the least squares of model less quoted prices',
    source='Gauss-Newton in 40 digits on contour integrals, from the best of 20 fits by scipy on sums over the gamma time',
    cases=[
        ('smile', 'volatilities', example([(80, 0.25), (90, 0.235), (100, 0.22), (110, 0.21), (120, 0.205)])),
        ('steep', 'volatilities', example([(70, 0.42), (85, 0.33), (100, 0.25), (115, 0.2), (130, 0.19)], q=0.02)),
        ('right_skew', 'volatilities', example([(80, 0.2), (90, 0.2), (100, 0.22), (110, 0.25), (120, 0.29)])),
        ('two_maturities', 'prices', prices([
            (90, 0.25, 1.06, 'put', 1), (100, 0.25, 3.98, 'call', 2), (110, 0.25, 0.61, 'call', 1),
            (80, 1, 1.84, 'put', 1), (100, 1, 8.36, 'call', 1), (125, 1, 1.19, 'call', 0.5)])),
        ('in_the_money', 'prices', prices([
            (80, 0.5, 21.6, 'call', 1), (90, 0.5, 12.9, 'call', 1), (100, 0.5, 6.1, 'call', 1), (110, 0.5, 12.05, 'put', 1),
            (120, 0.5, 20.2, 'put', 1)])),
    ],
)
