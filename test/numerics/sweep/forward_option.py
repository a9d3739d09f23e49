"""Options on a forward, by Black's and Bachelier's model: their reference vectors by two methods, the inputs of their sweeps, and their judges."""
import math
import sys

import gmpy2
from gmpy2 import exp, log, mpfr, sqrt

from differences import HIGHER, higher_greeks, precision_for
from exact import LARGEST, SMALLEST, context, short, verdict
from options import LEAST, PRICE_TOLERANCE, higher_of, density, draw_option, draw_quote as draw_lognormal_quote
from options import judge_implied as judge_lognormal_implied, normal, Option

BASE = '/quantlib/pricing/forward/'
GREEKS = ('delta', 'gamma', 'vega', 'theta', 'rho')
IMPLIED_TOLERANCE = mpfr('4e-15')
PRECISION = 2400
"""Below it an exponential is 0 in doubles, whatever it is multiplied with."""
VANISHING = -5500


def carried(given):
    """As an option on a spot whose yield is the rate."""
    others = {name: value for name, value in given.items() if name not in ('forward', 'model')}
    return dict(others, spot=given['forward'], dividend_yield=given['risk_free_rate'])


class Normal:
    """Bachelier's model."""

    def __init__(self, given, volatility=None):
        context.precision = PRECISION
        self.r, self.T = mpfr(given['risk_free_rate']), mpfr(given['time_to_maturity'])
        self.v = mpfr(given['volatility']) if volatility is None else volatility
        self.sign = 1 if given['option_type'] == 'call' else -1
        self.m = self.sign * (mpfr(given['forward']) - mpfr(given['strike']))
        self.s = self.v * sqrt(self.T)
        self.decay = -self.r * self.T
        self.d = self.m / self.s if self.s > 0 else None
        self.far = self.s == 0 or self.decay - self.d ** 2 / 2 < VANISHING
        self.discount = exp(self.decay) if abs(self.decay) < 1e5 else mpfr('inf') if self.decay > 0 else mpfr(0)

    def forward(self):
        return self.discount * self.m if self.m > 0 else mpfr(0)

    def time_value(self):
        y = None if self.far else abs(self.d)
        return mpfr(0) if self.far else self.discount * self.s * (density(y) - y * normal(-y))

    def peak(self):
        return mpfr(0) if self.far else self.discount * density(self.d)

    def greeks(self):
        share = normal(self.d) if not self.far else mpfr(1 if self.m > 0 else 0)
        delta = self.sign * self.discount * share
        if self.far:
            return delta, mpfr(0), mpfr(0), mpfr(0)
        return delta, self.peak() / self.s, self.peak() * sqrt(self.T), self.peak() * self.v / (2 * sqrt(self.T))


class Lognormal(Option):
    """Black's model."""

    def __init__(self, given, volatility=None):
        super().__init__(carried(given), volatility)

    def greeks(self):
        if self.far:
            return (self.sign * self.spot / self.S if self.sign * self.x > 0 else mpfr(0)), mpfr(0), mpfr(0), mpfr(0)
        tall = self.spot * density(self.d1)
        return (self.sign * self.spot * normal(self.sign * self.d1) / self.S, tall / (self.S ** 2 * self.s),
                tall * sqrt(self.T), tall * self.v / (2 * sqrt(self.T)))


def option_of(given):
    return Normal(given) if given['model'] == 'bachelier' else Lognormal(given)


def price_of(given):
    option = option_of(given)
    return option.time_value() + option.forward()


def greeks_of(given):
    """The Greeks, and the larger term of theta."""
    option = option_of(given)
    price = option.time_value() + option.forward()
    delta, gamma, vega, decay = option.greeks()
    found = dict(delta=delta, gamma=gamma, vega=vega, theta=option.r * price - decay, rho=-option.T * price)
    return found, max(abs(option.r * price), decay)


def amounts(given):
    """Amounts that leave the range of doubles where a request is refused."""
    option = option_of(given)
    if given['model'] == 'bachelier':
        return [option.discount, abs(option.m) * option.discount]
    return [option.spot, option.strike, option.spot * option.r, option.strike * option.r]


def judge_price(given, output, refused):
    price = price_of(given)
    if refused:
        beyond = [price] if given['model'] == 'bachelier' else [price, *amounts(given)[:2]]
        if is_below(given) or any(not one <= LARGEST / (1 + PRICE_TOLERANCE) for one in beyond):
            return dict(refused=True)
        return dict(wrong='refused, but it is ' + short(price))
    return verdict([(output['price'], price, PRICE_TOLERANCE * price)])


def judge_greeks(given, output, refused):
    if is_below(given):
        return dict(refused=True) if refused else dict(wrong='a forward or strike below 0')
    exact, scale = greeks_of(given)
    if refused:
        is_kink = given['forward'] == given['strike'] and given['volatility'] * given['time_to_maturity'] == 0
        is_kink = is_kink or ('kink' in refused and given['forward'] == given['strike'])
        if is_kink or any(not abs(one) < LARGEST / (1 + PRICE_TOLERANCE) for one in [*exact.values(), scale, *amounts(given)]):
            return dict(refused=True)
        return dict(wrong='refused, but the Greeks are ' + ', '.join(map(short, exact.values())))
    pairs = [(output[name], exact[name], PRICE_TOLERANCE * (scale if name == 'theta' else abs(exact[name]))) for name in GREEKS]
    option = option_of(given)
    higher, scales = normal_higher_of(given, option) if given['model'] == 'bachelier' else higher_of(carried(given), option)
    for name in HIGHER:
        if given['model'] == 'black_76' and not option.s > mpfr(2) ** -190:
            continue
        if name not in output and max(abs(higher[name]), scales[name]) < LARGEST / 1e3:
            return dict(wrong=name + ' is absent, but it is ' + short(higher[name]))
        if name in output:
            pairs.append((output[name], higher[name], PRICE_TOLERANCE * scales[name]))
    found = verdict(pairs)
    if 'error' in found:
        found['error'] = verdict([(output[name], exact[name], mpfr(1)) for name in GREEKS if name != 'theta'])['error']
    return found


def normal_higher_of(given, o):
    """The higher Greeks of Bachelier's model, and the largest of the terms that each is a sum of."""
    side = -1 if o.sign * o.m > 0 else 1
    inside = mpfr(0) if side == o.sign else o.sign * o.discount
    if o.far:
        found = dict.fromkeys(HIGHER, mpfr(0))
        return dict(found, charm=o.r * inside), dict(found, charm=abs(o.r * inside))
    d, s, v, T = o.sign * o.d, o.s, o.v, o.T
    tall, y = o.peak(), max(abs(d), LEAST)
    gamma, excess = tall / s, max(abs(1 - d * d), 2 * LEAST * y)
    share = abs(o.r) * o.discount * normal(o.d)
    scales = dict(vanna=tall * y / v, volga=tall * sqrt(T) * y * y / v, charm=max(share, tall * y / (2 * T)), speed=gamma * y / s,
                  zomma=gamma * excess / v, color=gamma * max(abs(o.r), excess / (2 * T)))
    if density(d) < mpfr(2) ** -300:
        return dict(vanna=-tall * d / v, volga=tall * sqrt(T) * d * d / v,
                    charm=o.sign * o.r * o.discount * normal(o.d) + tall * d / (2 * T), speed=-gamma * d / s,
                    zomma=gamma * (d * d - 1) / v, color=gamma * (o.r + (1 - d * d) / (2 * T))), scales
    bits = precision_for(d)
    context.precision = bits

    def price(moved, v, T):
        context.precision = bits
        s = v * sqrt(T)
        m = side * (mpfr(given['forward']) - mpfr(given['strike']) + moved)
        return exp(-mpfr(given['risk_free_rate']) * T) * (m * normal(m / s) + s * density(m / s))

    found = higher_greeks(price, mpfr(given['volatility']) * sqrt(mpfr(given['time_to_maturity'])), mpfr(given['volatility']),
                          mpfr(given['time_to_maturity']))
    found['charm'] += o.r * inside
    return found, scales


def higher_exact(given):
    o = option_of(given)
    return (normal_higher_of(given, o) if given['model'] == 'bachelier' else higher_of(carried(given), o))[0]


def is_below(given):
    return given['model'] == 'black_76' and not (given['forward'] > 0 and given['strike'] > 0)


def judge_implied(given, output, refused):
    if given['model'] == 'black_76':
        return judge_lognormal_implied(carried(given), output, refused)
    flat = Normal(given, mpfr(0))
    price, lower = mpfr(given['price']), flat.forward()
    legs = abs(mpfr(given['forward'])) + abs(mpfr(given['strike']))
    legs *= flat.discount if legs > 0 else 0
    rounding = (4 * price + legs * (1 + 2 * abs(flat.decay))) * mpfr(2) ** -53 + SMALLEST
    if refused:
        if price < lower - rounding * (1 - mpfr('1e-12')) or lower > LARGEST:
            return dict(refused=True)
        volatility = root_of(given, price - lower)
        if not mpfr(2) ** -1022 <= volatility <= LARGEST:
            return dict(refused=True)
        return dict(wrong='refused, but it is ' + short(volatility))
    got = mpfr(output['implied_volatility'])
    if got == 0:
        is_bound = lower - rounding * (1 + mpfr('1e-12')) <= price <= lower
        return dict(share=0, error=0) if is_bound or is_difference(given) else dict(wrong='0, but the price has a time value')
    if not price > lower:
        return dict(wrong='a volatility, but the price has no time value')
    volatility = root_of(given, price - lower)
    if volatility is None:
        return dict(wrong='no root near the answer')
    cond = price / (Normal(given, volatility).peak() * sqrt(flat.T) * volatility)
    found = verdict([(output['implied_volatility'], volatility, volatility * (IMPLIED_TOLERANCE + mpfr(2) ** -70 * cond))])
    if cond > mpfr(10) ** 8:
        found['error'] = 0.0
    return found


def root_of(given, time_value):
    """Newton's steps for the logarithm of the time value over the distance from the strike."""
    flat = Normal(given, mpfr(0))
    goal = time_value / flat.discount
    if flat.m == 0:
        return goal * sqrt(2 * gmpy2.const_pi() / flat.T)
    size = abs(flat.m)
    length = log(goal / size)
    y = density(mpfr(0)) * exp(-length) if length > 3 else mpfr(1)
    for _ in range(300):
        slope = density(y) - y * normal(-y)
        step = slope / density(y) * log(size * slope / (y * goal))
        y *= max(min(1 + step, mpfr(2)), mpfr('0.5'))
        if abs(step) < mpfr(10) ** -40:
            return size / (y * sqrt(flat.T))
    return None


def is_difference(given):
    names = ('forward', 'strike', 'price')
    if given['risk_free_rate'] != 0 or any(float('%.15g' % given[name]) != given[name] for name in names):
        return False
    forward, strike, price = (gmpy2.mpq('%.15g' % given[name]) for name in names)
    return abs(forward - strike) == price


def draw_forward(draw):
    """Half of the options as those on a spot; else a forward of either sign, and a strike some deviations from it."""
    if draw.likely(0.4):
        given = draw_option(draw)
        forward, rate = given.pop('spot'), given.pop('dividend_yield')
        given['risk_free_rate'] = rate
        strike = given['strike'] if draw.likely(0.5) else beside(draw, forward, given)
        return ordered(dict(given, forward=forward, strike=strike if 0 < strike < math.inf else forward, model='black_76'))
    is_usual = draw.likely(0.6)
    maturity = 0 if draw.likely(0.05) else draw.decades(1e-6, 100) if is_usual else draw.any_size()
    volatility = 0 if draw.likely(0.05) else draw.decades(1e-6, 1e3) if is_usual else draw.any_size()
    deviation = volatility * (math.sqrt(maturity) or 1)
    forward = draw.pick(0, draw.sign() * draw.decades(1e-6, 1e4), draw.sign() * draw.any_size(), draw.sign() * deviation)
    moved = deviation * (draw.sign() * draw.decades(1e-18, 40) if draw.likely(0.5) else draw.between(-10, 10))
    strike = forward if draw.likely(0.1) else draw.sign() * draw.any_size() if draw.likely(0.1) else forward - moved
    steepness = 750 if draw.likely(0.15) else 0 if draw.likely(0.3) else 1
    rate = draw.sign() * draw.any_size() if draw.likely(0.05) else draw.between(-1, 1) * steepness / (maturity or 1)
    return ordered(dict(forward=fitting(forward), strike=fitting(strike), risk_free_rate=fitting(rate), volatility=min(volatility, sys.float_info.max),
                        time_to_maturity=maturity, option_type=draw.pick('call', 'put'), model='bachelier'))


def beside(draw, forward, given):
    moved = draw.between(-38, 38) * given['volatility'] * math.sqrt(given['time_to_maturity'])
    return forward * math.exp(max(-700, min(700, moved)))


def fitting(value):
    return max(-sys.float_info.max, min(0 if math.isnan(value) else value, sys.float_info.max))


def ordered(given):
    names = ('forward', 'strike', 'risk_free_rate', 'volatility', 'time_to_maturity', 'option_type', 'model')
    return {name: given[name] for name in names}


def draw_quote(draw):
    """An option at its price, at its bound, or up to three units in the last place beside it, and intrinsic values in cents."""
    if draw.likely(0.35):
        given = draw_lognormal_quote(draw)
        given['forward'] = given.pop('spot')
        given['risk_free_rate'] = given.pop('dividend_yield')
        return dict(given, model='black_76')
    if draw.likely(0.1):
        low, difference, sign = draw.whole(-9999, 9999), draw.whole(1, 10000), draw.sign()
        forward, strike = ((low + difference) / 100, low / 100)[::sign]
        return dict(price=difference / 100, forward=forward, strike=strike, risk_free_rate=0, time_to_maturity=draw.between(0.01, 2),
                    option_type='call' if sign > 0 else 'put', model='bachelier')
    while True:
        given = draw_forward(draw)
        option = option_of(given)
        price = option.forward() + (option.time_value() if draw.likely(0.7) else 0)
        moved = float(price) * (1 if draw.likely(0.7) else 1 + draw.whole(-3, 3) * 2 ** -52)
        del given['volatility']
        if given['model'] == 'bachelier' and given['time_to_maturity'] > 0 and math.isfinite(moved):
            return dict(price=moved, **given)


NUMBERS = 'every double that is accepted, by both models; bachelier: forwards and strikes of either sign and 0, up to 40 deviations apart; black_76: the options of Black–Scholes'
SWEEPS = [
    dict(path=BASE + 'price', text=NUMBERS, points=500, draw=draw_forward, judge=judge_price),
    dict(path=BASE + 'greeks', text=NUMBERS, points=400, draw=draw_forward, judge=judge_greeks),
    dict(path=BASE + 'implied-volatility', points=400, draw=draw_quote, judge=judge_implied,
         text='the options above with maturity above 0, at their prices, at the bound or up to three units in the last place beside it, and at intrinsic values in cents'),
]


def likelihood_ratios(given):
    """Price and Greeks as expectations of the payoff times derivatives of the density: trapezoidal sums after z = edge ± exp(t − exp(−t)), for the option out of the money."""
    context.precision = 400
    F, K, r, v, T = (mpfr(given[name]) for name in ('forward', 'strike', 'risk_free_rate', 'volatility', 'time_to_maturity'))
    own, s, is_normal = 1 if given['option_type'] == 'call' else -1, v * sqrt(T), given['model'] == 'bachelier'
    sign = 1 if F <= K else -1
    edge = (K - F) / s if is_normal else (log(K / F) + s * s / 2) / s
    sums, step, reach = [mpfr(0)] * 4, mpfr(1) / 192, 9
    for k in range(-reach * 192, reach * 192 + 1):
        t = k * step
        away = exp(t - exp(-t))
        z = edge + sign * away
        if z * z > 2000:
            continue
        payoff = s * away if is_normal else sign * (F * exp(s * z - s * s / 2) - K)
        weight = payoff * exp(-z * z / 2) * away * (1 + exp(-t))
        first, second = (z / s, (z * z - 1) / s) if is_normal else (z / (F * s), (z * z - 1) / s - z)
        third = second / s if is_normal else (z * z - 1 - s * z) / (F * s) ** 2
        sums = [total + weight * one for total, one in zip(sums, (1, first, third, second))]
    price, delta, gamma, by_s = (exp(-r * T) * step * one / sqrt(2 * gmpy2.const_pi()) for one in sums)
    if own != sign:
        price, delta = price + own * exp(-r * T) * (F - K), delta + own * exp(-r * T)
    return dict(price=price, delta=delta, gamma=gamma, vega=by_s * sqrt(T), theta=r * price - by_s * v / (2 * sqrt(T)), rho=-T * price)


def agreed(given, exact):
    """The closed form, where the integral of the payoff gives it to 40 digits of its largest term."""
    other = likelihood_ratios(given)
    scale = max(abs(given['risk_free_rate'] * other['price']), abs(other['vega']), 0)
    for name, value in exact.items():
        if abs(value - other[name]) > mpfr(10) ** -40 * max(abs(value), scale if name == 'theta' else 0):
            raise ArithmeticError('two methods differ: %s of %s' % (name, given))
    return dict(exact, option_type=given['option_type'])


def implied(given):
    """The root by the closed form; the integral has the price there."""
    lower = option_of(dict(given, volatility=0))
    if given['model'] == 'bachelier':
        found = root_of(given, given['price'] - lower.forward())
    else:
        found = mpfr(1)
        for _ in range(200):
            option = Lognormal(given, found)
            step = (given['price'] - option.time_value() - option.forward()) / option.vega()
            found += max(min(step, found), -found / 2)
    if abs(likelihood_ratios(dict(given, volatility=found))['price'] / given['price'] - 1) > mpfr(10) ** -40:
        raise ArithmeticError('two methods differ: %s' % given)
    return found


def option(model, option_type='call', **others):
    usual = dict(bachelier=dict(forward=0.02, strike=0.025, volatility=0.006), black_76=dict(forward=100.0, strike=105.0, volatility=0.2))
    given = dict(usual[model], risk_free_rate=0.03, time_to_maturity=1.5, option_type=option_type, model=model)
    return ordered(dict(given, **others))


BOTH = [('%s_%s%s' % (name, model, '' if kind == 'call' else '_put'), family, option(model, kind, **(own if model == 'bachelier' else other)))
        for name, family, own, other in (
            ('usual', 'market', {}, {}),
            ('at_the_money', 'at_the_money', dict(strike=0.02), dict(strike=100.0)),
            ('beside_the_money', 'at_the_money', dict(strike=0.02 + 1e-12), dict(strike=100 + 1e-9)),
            ('in_the_money', 'in_the_money', dict(strike=0.005), dict(strike=60.0)),
            ('far_out', 'far', dict(strike=0.2), dict(strike=1e4)),
            ('short', 'short', dict(time_to_maturity=1e-5, strike=0.0201), dict(time_to_maturity=1e-5, strike=100.5)),
            ('steep_rate', 'rate', dict(risk_free_rate=-3.0), dict(risk_free_rate=20.0)))
        for model in ('bachelier', 'black_76') for kind in ('call', 'put')]
NEGATIVE = [('negative_' + kind, 'negative', option('bachelier', kind, forward=-0.004, strike=-0.001, volatility=0.005)) for kind in ('call', 'put')]
NEGATIVE += [('across_zero_' + kind, 'negative', option('bachelier', kind, forward=-37.63, strike=5.0, volatility=60.0, time_to_maturity=0.1))
             for kind in ('call', 'put')]
CASES = BOTH + NEGATIVE
QUOTES = [(name, family, dict(price=float(price_of(given)), **{key: value for key, value in given.items() if key != 'volatility'}))
          for name, family, given in CASES if family != 'far' or 'put' not in name]
DIFFERENCES = 'difference quotients of the price in over 1,400 bits'
SOURCE = 'closed form in up to 2,400 bits, and expectations of the payoff times derivatives of the density by trapezoidal sums, which agree to 40 digits'
VECTORS = [
    dict(name='forward_option', path=BASE + 'price', about='prices of options on a forward', source=SOURCE, rel_tol=1e-14,
         exact=lambda given: agreed(given, dict(price=price_of(given))), cases=CASES),
    dict(name='forward_greeks', path=BASE + 'greeks', about='Greeks of options on a forward', source=SOURCE, rel_tol=1e-13,
         exact=lambda given: agreed(given, greeks_of(given)[0]), cases=CASES),
    dict(name='forward_higher_greeks', path=BASE + 'greeks', about='Greeks of higher order of options on a forward', source=DIFFERENCES,
         rel_tol=1e-13, abs_tol=1e-60, exact=lambda given: higher_exact(given), cases=CASES),
    dict(name='forward_implied_volatility', path=BASE + 'implied-volatility', result='implied_volatility',
         about='volatility at the price as a double', source=SOURCE, rel_tol=1e-13, exact=implied, cases=QUOTES),
]
