"""Black-Scholes-Merton prices, Greeks and implied volatilities at a precision that leaves 400 bits after every cancellation."""
import math
import sys

import gmpy2
from gmpy2 import erfc, exp, log, mpfr, mpq, sqrt

from differences import HIGHER, higher_greeks, precision_for
from exact import LARGEST, LEAST_NORMAL, SMALLEST, bits_of, context, short, verdict

NAMES = ('spot', 'strike', 'risk_free_rate', 'time_to_maturity', 'dividend_yield')
PRICE_TOLERANCE = mpfr('1e-13')
GREEK_TOLERANCE = mpfr('1e-14')
"""Distances count as at least this in the errors of Greeks that are proportional to them."""
LEAST = mpfr('0.01')
"""Beyond this distance every normal tail is 0 in doubles, whatever it is multiplied with."""
FAR = 200


class Option:
    def __init__(self, given, volatility=None, least_precision=0):
        context.precision = 2400
        self.S, self.K, self.r, self.T, self.q = (mpfr(given[name]) for name in NAMES)
        self.sign = 1 if given['option_type'] == 'call' else -1
        self.v = mpfr(given['volatility']) if volatility is None else volatility
        self.s = self.v * sqrt(self.T)
        self.x = log(self.S / self.K) + (self.r - self.q) * self.T
        self.y = abs(self.x) / self.s if self.s > 0 else mpfr('inf')
        lost = bits_of(self.s) + 2 * bits_of(self.y)
        self.far = self.s == 0 or self.y - self.s / 2 > FAR
        # Spot and strike, discounted, may agree in as many bits as the exponent of x says.
        context.precision = bits_of(self.x) + (500 if self.far else min(2400, 500 + 2 * lost))
        context.precision = max(context.precision, least_precision)
        self.spot = self.S * exp(-self.q * self.T)
        self.strike = self.K * exp(-self.r * self.T)
        if not self.far:
            self.d1, self.d2 = (self.x + self.s ** 2 / 2) / self.s, (self.x - self.s ** 2 / 2) / self.s

    def forward(self):
        """The discounted payoff of the forward."""
        return self.sign * (self.spot - self.strike) if self.sign * self.x > 0 else mpfr(0)

    def time_value(self):
        if self.far:
            return mpfr(0)
        side = 1 if self.x < 0 else -1
        return side * (self.spot * normal(side * self.d1) - self.strike * normal(side * self.d2))

    def vega(self):
        return mpfr(0) if self.far else self.spot * density(self.d1) * sqrt(self.T)


def normal(d):
    return erfc(-d / sqrt(mpfr(2))) / 2


def density(d):
    return exp(-d * d / 2) / sqrt(2 * gmpy2.const_pi())


def judge_price(given, output, refused):
    option = Option(given)
    if refused and max(option.spot, option.strike) > LARGEST / (1 + PRICE_TOLERANCE):
        return dict(refused=True)
    price = option.time_value() + option.forward()
    if refused:
        return dict(wrong='refused, but it is ' + short(price))
    return verdict([(output['price'], price, PRICE_TOLERANCE * price)])


def judge_greeks(given, output, refused):
    o = Option(given)
    spot, strike, sign = o.spot, o.strike, o.sign
    if o.far:
        inside = sign * o.x > 0
        delta, rho = (sign * spot / o.S, sign * o.T * strike) if inside else (mpfr(0), mpfr(0))
        gamma = vega = decay = mpfr(0)
        a, b = (spot, strike) if inside else (mpfr(0), mpfr(0))
    else:
        a, b = spot * normal(sign * o.d1), strike * normal(sign * o.d2)
        delta, rho = sign * a / o.S, sign * o.T * b
        tall = spot * density(o.d1)
        gamma, vega, decay = tall / (o.S ** 2 * o.s), tall * sqrt(o.T), tall * o.v / (2 * sqrt(o.T))
    theta = sign * (o.q * a - o.r * b) - decay
    own = (o.q if sign > 0 else o.r) * sign * (a - b)
    scale = max(decay, abs(own), abs(sign * (o.q * a - o.r * b) - own))
    exact = dict(delta=delta, gamma=gamma, vega=vega, theta=theta, rho=rho)
    if refused:
        kink = (o.s == 0) and abs(o.x) < mpfr(2) ** -1060
        terms = [*exact.values(), own, decay, scale, o.spot, o.strike, o.spot * o.q, o.strike * o.r]
        if kink or any(abs(value) > LARGEST / (1 + mpfr('1e-13')) for value in terms):
            return dict(refused=True)
        return dict(wrong='refused, but the Greeks are ' + ', '.join(map(short, exact.values())))
    pairs = [(output[name], value, GREEK_TOLERANCE * (scale if name == 'theta' else abs(value))) for name, value in exact.items()]
    higher, scales = higher_of(given, o)
    for name in HIGHER:
        if name not in output and max(abs(higher[name]), scales[name]) < LARGEST / 1e3 and o.s > mpfr(2) ** -190:
            return dict(wrong=name + ' is absent, but it is ' + short(higher[name]))
        if name in output and o.s > mpfr(2) ** -190:
            pairs.append((output[name], higher[name], GREEK_TOLERANCE * scales[name]))
    found = verdict(pairs)
    if 'error' in found:
        # Theta may cancel; its error is relative to its largest term.
        found['error'] = max(verdict(pairs[:3] + pairs[4:5])['error'], float(abs(mpfr(output['theta']) - theta) / scale) if scale > LEAST_NORMAL else 0)
    return found


def higher_of(given, o):
    """The higher Greeks, and the largest of the terms that each is a sum of."""
    side = 1 if o.x < 0 else -1
    delta = mpfr(0) if side == o.sign else o.sign * o.spot / o.S
    if o.far:
        found = dict.fromkeys(HIGHER, mpfr(0))
        return dict(found, charm=o.q * delta), dict(found, charm=abs(o.q * delta))
    d1, d2, s, v, T = o.d1, o.d2, o.s, o.v, o.T
    tall, carry = o.spot * density(d1) / o.S, o.r - o.q
    share = abs(o.q) * o.spot / o.S * normal(o.sign * d1)
    gamma = tall / (o.S * s)
    bits = precision_for(s)
    context.precision = bits

    def price(moved, v, T):
        context.precision = bits
        S, K, r, q = (mpfr(given[name]) for name in ('spot', 'strike', 'risk_free_rate', 'dividend_yield'))
        S += moved
        s = v * sqrt(T)
        d1 = (log(S / K) + (r - q) * T) / s + s / 2
        return side * (S * exp(-q * T) * normal(side * d1) - K * exp(-r * T) * normal(side * (d1 - s)))

    one, two = max(abs(d1), LEAST), max(abs(d2), LEAST)
    excess, beyond = max(abs(1 - d1 * d2), LEAST * (one + two)), max(abs(d1 + s), LEAST)
    scales = dict(vanna=tall * two / v, volga=o.S * tall * sqrt(T) * one * two / v,
                  charm=max(share, tall * abs(carry) / s, tall * two / (2 * T)),
                  speed=gamma * beyond / (o.S * s), zomma=gamma * excess / v,
                  color=gamma * max(abs(o.q), one * abs(carry) / s, excess / (2 * T)))
    if density(d1) < mpfr(2) ** -300:
        # The differences would be of rounded values.
        return dict(vanna=-tall * d2 / v, volga=o.S * tall * sqrt(T) * d1 * d2 / v,
                    charm=o.sign * o.q * o.spot / o.S * normal(o.sign * d1) - tall * (carry / s - d2 / (2 * T)),
                    speed=-gamma * (d1 + s) / (o.S * s), zomma=gamma * (d1 * d2 - 1) / v,
                    color=gamma * (o.q + d1 * carry / s + (1 - d1 * d2) / (2 * T))), scales
    found = higher_greeks(price, mpfr(given['spot']) * s, mpfr(given['volatility']), mpfr(given['time_to_maturity']))
    found['charm'] += o.q * delta
    return found, scales


def judge_implied(given, output, refused):
    """Bounds are exact: of 4400 bits, more than the product of any rate and maturity needs beside 1."""
    flat = Option(dict(given), mpfr(0), 4400)
    price = mpfr(given['price'])
    upper = flat.spot if flat.sign > 0 else flat.strike
    lower = flat.forward()
    legs = flat.spot * (1 + 2 * abs(flat.q * flat.T)) + flat.strike * (1 + 2 * abs(flat.r * flat.T))
    rounding = (4 * price + legs) * mpfr(2) ** -53 + SMALLEST
    if refused:
        if price >= upper or price < lower - rounding * (1 - mpfr('1e-12')) or max(flat.spot, flat.strike) > LARGEST:
            return dict(refused=True)
        if 'beyond the range' in refused:
            return dict(skipped='bounds or volatility out of range')
        return dict(wrong='refused: ' + refused)
    got = mpfr(output['implied_volatility'])
    if got == 0:
        is_bound = lower - rounding * (1 + mpfr('1e-12')) <= price <= lower
        return dict(share=0, error=0) if is_bound or is_difference(given) else dict(wrong='0, but the price has a time value')
    if not lower < price < upper:
        return dict(wrong='a volatility, but the price is not between its bounds')
    if max(flat.spot, flat.strike) > LARGEST:
        return dict(skipped='a discounted amount out of range')
    precision = 500 + bits_of((upper - price) / upper)
    volatility = got
    for _ in range(60):
        option = Option(given, volatility, precision)
        slope = option.vega()
        if not option.s > 0:
            return dict(wrong='no root near the answer')
        if slope == 0:
            return dict(wrong='no vega at the answer')
        step = (price - option.time_value() - option.forward()) / slope
        volatility += max(min(step, volatility), -volatility / 2)
        if abs(step) < volatility * mpfr(10) ** -25:
            break
    else:
        return dict(wrong='no root near the answer')
    cond = price / (slope * volatility)
    found = verdict([(output['implied_volatility'], volatility, volatility * (PRICE_TOLERANCE + mpfr(2) ** -70 * cond))])
    if cond > mpfr(10) ** 8:
        found['error'] = 0.0
    return found


def is_difference(given):
    """Whether, without rates, the price is the difference of spot and strike in decimals of at most 15 digits."""
    names = ('spot', 'strike', 'price')
    if given['risk_free_rate'] != 0 or given['dividend_yield'] != 0:
        return False
    if any(float('%.15g' % given[name]) != given[name] for name in names):
        return False
    spot, strike, price = (mpq('%.15g' % given[name]) for name in names)
    return abs(spot - strike) == price


def draw_option(draw):
    return draw_extreme(draw) if draw.likely(0.4) else draw_usual(draw)


def draw_usual(draw):
    """An option whose forward lies k deviations from the strike; a tenth with numbers from all decades."""
    maturity = 0 if draw.likely(0.05) else draw.any_size() if draw.likely(0.15) else draw.decades(1e-6, 100)
    root = math.sqrt(maturity) or 1
    deviation = (draw.decades(1e-300, 1e100) if draw.likely(0.15) else
                 draw.decades(1e-12, 1e-2) if draw.likely(0.3) else draw.decades(1e-2, 40))
    volatility = 0 if draw.likely(0.05) else min(deviation / root, sys.float_info.max)
    spot = draw.any_size() if draw.likely(0.15) else draw.decades(1e-3, 1e5)
    steepness = 750 if draw.likely(0.15) else 0 if draw.likely(0.2) else 1
    rate = draw.between(-1, 1) * steepness / (maturity or 1)
    dividend_yield = (0 if draw.likely(0.3) else rate if draw.likely(0.2) else
                      rate + draw.between(-1, 1) / (maturity or 1))
    k = 0 if draw.likely(0.2) else draw.between(-3, 3) if draw.likely(0.6) else draw.between(-38, 38)
    x = k * volatility * root + (draw.sign() * draw.decades(1e-18, 1e-3) if draw.likely(0.3) else 0)
    strike = (spot if draw.likely(0.05) else draw.any_size() if draw.likely(0.05) else
              spot * float(exp(mpfr((rate - dividend_yield) * maturity - x))))
    return drawn(draw, spot, strike, finite(rate, 0.05), volatility, maturity, finite(dividend_yield, 0))


def draw_extreme(draw):
    """An option with numbers of any size, whose forward still is near the strike in two of three."""
    maturity = 0 if draw.likely(0.05) else draw.any_size()
    root = math.sqrt(maturity) or 1
    volatility = draw.any_size() if draw.likely(0.3) else min(draw.decades(1e-322, 1e3) / root, sys.float_info.max)
    deviation = volatility * root
    spot = draw.any_size()

    def any_rate():
        """Of any size, or one that moves the log price by some deviations."""
        if draw.likely(0.3):
            return draw.sign() * draw.any_size()
        moved = draw.decades(1e-3, 30) * deviation if draw.likely(0.5) else draw.decades(1e-300, 750)
        return finite(draw.sign() * moved / root / root, 0)

    rate = 0 if draw.likely(0.3) else any_rate()
    dividend_yield = rate if draw.likely(0.5) else any_rate() if draw.likely(0.5) else finite(rate + any_rate(), rate)
    beside = spot * (1 + draw.sign() * draw.decades(1e-17, 1) * min(deviation, 1))
    strike = spot if draw.likely(0.4) else beside if draw.likely(0.5) else draw.any_size()
    return drawn(draw, spot, strike, rate, 0 if draw.likely(0.05) else volatility, maturity, dividend_yield)


def drawn(draw, spot, strike, rate, volatility, maturity, dividend_yield):
    return dict(spot=spot, strike=strike if 0 < strike < math.inf else spot, risk_free_rate=rate, volatility=volatility,
                time_to_maturity=maturity, dividend_yield=dividend_yield, option_type=draw.pick('call', 'put'))


def finite(value, otherwise):
    return value if math.isfinite(value) else otherwise


def draw_quote(draw):
    """An option at its price, or at one of its bounds, or up to three units in the last place beside it."""
    if draw.likely(0.1):
        return draw_cents(draw)
    while True:
        given = draw_option(draw)
        option = Option(given) if draw.likely(0.6) else Option(given, mpfr(0), 4400)
        upper = option.spot if option.sign > 0 else option.strike
        price = option.forward() + option.time_value() if option.v > 0 or draw.likely(0.6) else upper
        moved = float(price) * (1 if draw.likely(0.7) else 1 + draw.whole(-3, 3) * 2 ** -52)
        del given['volatility']
        if given['time_to_maturity'] > 0 and math.isfinite(moved):
            return dict(price=moved, **given)


def draw_cents(draw):
    """An option without rates at the difference of spot and strike, all quoted in cents."""
    low, difference = draw.whole(1, 20000), draw.whole(1, 10000)
    most, least = (low + difference) / 100, low / 100
    name = draw.pick('call', 'put')
    return dict(price=difference / 100, spot=most if name == 'call' else least, strike=least if name == 'call' else most,
                risk_free_rate=0, dividend_yield=0, time_to_maturity=draw.between(0.01, 2), option_type=name)


OPTIONS = 'every double that is accepted: spot, strike 5e-324…1.8e308, maturity and volatility 0 and 5e-324…1.8e308, rates 0 and ±5e-324…1.8e308; two in three forwards within 38 deviations of the strike'
SWEEPS = [
    dict(path='/quantlib/pricing/bs/price', text=OPTIONS, points=600, draw=draw_option, judge=judge_price),
    dict(path='/quantlib/pricing/bs/greeks', text=OPTIONS, points=500, draw=draw_option, judge=judge_greeks),
    dict(path='/quantlib/pricing/bs/implied-volatility', points=400, draw=draw_quote, judge=judge_implied,
         text='the options above with maturity above 0, at their prices, at a bound or up to three units in the last place beside it, and at intrinsic values in cents'),
]
