"""Black-Scholes-Merton prices and Greeks by two methods that share no formula, for mpmath.

Both take the inputs as exact float64 values. The closed form uses erfc; the quadrature integrates the
payoff and its derivatives along each path over the normal density, and differentiates nothing numerically.
"""
from mpmath import mp, mpf, erfc, exp, fabs, log, pi, sqrt
from mpmath.calculus.quadrature import GaussLegendre

mp.dps = 90
NODES = GaussLegendre(mp).calc_nodes(6, mp.prec)
FIELDS = ('delta', 'gamma', 'vega', 'theta', 'rho')


def deviation(case):
    return mpf(case['volatility']) * sqrt(mpf(case['time_to_maturity']))


def terms_of(case):
    S, K, r, T, q = (mpf(case[k]) for k in ('spot', 'strike', 'risk_free_rate', 'time_to_maturity', 'dividend_yield'))
    return S, K, r, T, q, 1 if case['option_type'] == 'call' else -1


def closed_price(case, s):
    """Price and its derivative by the deviation s."""
    S, K, r, T, q, sign = terms_of(case)
    d1 = (log(S / K) + (r - q) * T) / s + s / 2
    normal = lambda d: erfc(-sign * d / sqrt(mpf(2))) / 2
    price = sign * (S * exp(-q * T) * normal(d1) - K * exp(-r * T) * normal(d1 - s))
    return price, S * exp(-q * T - d1 * d1 / 2) / sqrt(2 * pi)


def closed_greeks(case):
    """The Greeks, and the largest of theta's terms after their cancellation at r = q."""
    S, K, r, T, q, sign = terms_of(case)
    v, s = mpf(case['volatility']), deviation(case)
    d1 = (log(S / K) + (r - q) * T) / s + s / 2
    normal = lambda d: erfc(-sign * d / sqrt(mpf(2))) / 2
    density = exp(-q * T - d1 * d1 / 2) / sqrt(2 * pi)
    spot, strike = sign * S * exp(-q * T) * normal(d1), sign * K * exp(-r * T) * normal(d1 - s)
    decay = S * density * v / (2 * sqrt(T))
    own = (q if sign > 0 else r) * (spot - strike)
    greeks = dict(delta=spot / S, gamma=density / (S * s), vega=S * density * sqrt(T),
                  theta=q * spot - r * strike - decay, rho=T * strike)
    return greeks, max(decay, fabs(own), fabs(q * spot - r * strike - own))


def moments(case, s):
    """Over the paths that end in the money, of z, their normal variable: the discounted integrals of 1, S_T and z*S_T."""
    S, K, r, T, q, sign = terms_of(case)
    mean = log(S) + (r - q) * T - s * s / 2
    edge = (log(K) - mean) / s
    length = 16 + fabs(edge) + s
    ends = [0, *(length / 2 ** k for k in range(7, 3, -1)), *(length * k / 8 for k in range(1, 9))]
    count = total = first = mpf(0)
    for low, high in zip(ends, ends[1:]):
        half, middle = (high - low) / 2, (high + low) / 2
        for node, weight in NODES:
            z = edge + sign * (middle + half * node)
            here = weight * half * exp(-z * z / 2 - r * T)
            end = here * exp(mean + s * z)
            count, total, first = count + here, total + end, first + z * end
    return [moment / sqrt(2 * pi) for moment in (count, total, first)]


def quadrature_price(case, s):
    S, K, r, T, q, sign = terms_of(case)
    count, total, _ = moments(case, s)
    return sign * (total - K * count)


def quadrature_greeks(case):
    S, K, r, T, q, sign = terms_of(case)
    v, s = mpf(case['volatility']), deviation(case)
    count, total, first = (sign * moment for moment in moments(case, s))
    slope = total * (r - q - v * v / 2) + first * v / (2 * sqrt(T))
    return dict(delta=total / S, gamma=(first / s - total) / (S * S), vega=sqrt(T) * first - v * T * total,
                theta=r * (total - K * count) - slope, rho=T * K * count)
