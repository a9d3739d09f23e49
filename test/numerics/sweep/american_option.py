"""American options in 35 digits: reference vectors, the inputs of the sweep, and their judge.

The boundary solves another equation than that of the service, which equates slopes: the put is worth its payoff there (Kim 1990,
eq. 11), with more nodes and the rule of Takahasi and Mori. Doubles and the equation of slopes give the start only. About 17
digits are right. Tests of the laws compare with a binomial tree, which knows no boundary.
"""
import math

import gmpy2
from gmpy2 import mpfr

from exact import LARGEST, SMALLEST, context, short

PATH = '/quantlib/pricing/american/price'
PRECISION = 120
PRICE_TOLERANCE = mpfr('1e-10')
PREMIUM_TOLERANCE = mpfr('1e-8')
DELTA_TOLERANCE = mpfr('1e-8')
CURVATURE_TOLERANCE = mpfr('1e-7')


class Doubles:
    exp, log, sqrt, sinh, asinh, expm1 = math.exp, math.log, math.sqrt, math.sinh, math.asinh, math.expm1
    root2, root2pi = math.sqrt(2), math.sqrt(2 * math.pi)
    number = float

    @classmethod
    def normal(cls, d):
        return math.erfc(-d / cls.root2) / 2

    @classmethod
    def density(cls, d):
        return math.exp(-d * d / 2) / cls.root2pi


class Exact:
    exp, log, sqrt, sinh, asinh, expm1 = gmpy2.exp, gmpy2.log, gmpy2.sqrt, gmpy2.sinh, gmpy2.asinh, gmpy2.expm1
    number = mpfr

    @staticmethod
    def normal(d):
        return gmpy2.erfc(-d / gmpy2.sqrt(mpfr(2))) / 2

    @staticmethod
    def density(d):
        return gmpy2.exp(-d * d / 2) / gmpy2.sqrt(2 * gmpy2.const_pi())


def rule(arithmetic, step, reach=mpfr('3.5')):
    """(share of the interval, rest, weight) of the double exponential rule on (0, 1)."""
    number, exp, pi = arithmetic.number, arithmetic.exp, arithmetic.number(gmpy2.const_pi())
    nodes = []
    for k in range(-int(reach / step), int(reach / step) + 1):
        x = number(k) * number(step)
        e = exp(-pi * arithmetic.sinh(x))
        nodes.append((1 / (1 + e), e / (1 + e), number(step) * pi * (arithmetic.exp(x) + arithmetic.exp(-x)) / 2 * e / (1 + e) ** 2))
    return nodes


def inner_rule(arithmetic, step):
    """(√(1 − u/τ), weight by u/τ), where u/τ = 1 − (1 − w⁴)²."""
    roots = [(rest * (1 + w) * (1 + w * w), w, weight) for w, rest, weight in rule(arithmetic, step)]
    return [(root, 8 * w ** 3 * root * weight) for root, w, weight in roots if w > 1e-6]


class Map:
    """ξ of τ/T: the fourth root, or smooth in the square root with a scale."""

    def __init__(self, arithmetic, size, stretch):
        self.a, self.size, self.stretch = arithmetic, size, stretch
        number = arithmetic.number
        pi = number(gmpy2.const_pi())
        sine = math.sin if arithmetic is Doubles else gmpy2.sin
        self.points = [sine(pi * j / (2 * size)) ** 2 for j in range(size + 1)]
        self.times = [self.time(point) for point in self.points[1:]]

    def time(self, place):
        if self.stretch is None:
            return place ** 4
        return place ** 2 if self.stretch == 0 else (self.a.sinh(self.stretch * place) / self.a.sinh(self.a.number(self.stretch))) ** 2

    def shares(self, time):
        """Of the values at the points 1…n in the polynomial at τ/T, the value at point 0 being 0."""
        root = self.a.sqrt(time)
        place = self.a.sqrt(root) if self.stretch is None else root if self.stretch == 0 else \
            self.a.asinh(root * self.a.sinh(self.a.number(self.stretch))) / self.stretch
        for j, point in enumerate(self.points):
            if place == point:
                return [self.a.number(1 if i == j else 0) for i in range(1, self.size + 1)]
        terms = [(1 if j % 2 == 0 else -1) * (self.a.number(1) / 2 if j in (0, self.size) else 1) / (place - point)
                 for j, point in enumerate(self.points)]
        total = sum(terms)
        return [term / total for term in terms[1:]]


def solve_linear(rows, right):
    n = len(right)
    rows, right = [row[:] for row in rows], right[:]
    for c in range(n):
        p = max(range(c, n), key=lambda i: abs(rows[i][c]))
        rows[c], rows[p], right[c], right[p] = rows[p], rows[c], right[p], right[c]
        for i in range(c + 1, n):
            f = rows[i][c] / rows[c][c]
            if f != 0:
                rows[i] = [a - f * b for a, b in zip(rows[i], rows[c])]
                right[i] -= f * right[c]
    for i in range(n - 1, -1, -1):
        right[i] = (right[i] - sum(rows[i][j] * right[j] for j in range(i + 1, n))) / rows[i][i]
    return right


class Boundary:
    """Of a put with the strike 1 and the variance 1 a unit of time; side 1 is exercised below it, −1 above."""

    def __init__(self, r, q, horizon, limit, side, size, stretch):
        self.r, self.q, self.horizon, self.limit, self.side = r, q, horizon, limit, side
        start = [self.guess(time * float(horizon)) for time in Map(Doubles, size, stretch).times]
        quadrature = inner_rule(Doubles, 1 / 9)
        heights, change = self.newton(Doubles, size, stretch, start, quadrature, 40, 1e-9, self.slopes)
        heights = [mpfr(height) for height in heights]
        quadrature = inner_rule(Exact, mpfr(1) / 17)
        self.heights, self.change = self.newton(Exact, size, stretch, heights, quadrature, 25, mpfr('1e-16'), self.values)
        self.map = Map(Exact, size, stretch)

    def guess(self, time):
        r, q = float(self.r), float(self.q)
        root = 0.6388 * math.sqrt(time)
        if self.side < 0:
            return root
        close = abs(r - q) < 0.1 * abs(r)
        rates = 4 * math.sqrt(math.pi) * abs(q) * time if close else 8 * math.pi * time * (r - q) ** 2
        near = max(root, math.sqrt((2 if close else 1) * time * math.log(math.e + 1 / rates)) + float(self.log_limit())) + time / 2
        carry = r - q - 0.5
        power = carry + math.sqrt(carry * carry + 2 * max(r, 0))
        most = float(self.log_limit()) + math.log1p(1 / power) if r > 0 else 0
        return -most * math.expm1(-near / most) if most > 0 else near

    def log_limit(self):
        return gmpy2.log(mpfr(self.limit))

    def newton(self, a, size, stretch, heights, quadrature, most, tolerance, equation):
        grid = Map(a, size, stretch)
        r, q, T, limit = (a.number(value) for value in (self.r, self.q, self.horizon, self.limit))
        shares = [[grid.shares(time * (1 - root * root)) for root, _ in quadrature] for time in grid.times]
        change = None
        for _ in range(most):
            squares = [height * height for height in heights]
            rows, right = [], []
            for i, time in enumerate(grid.times):
                residual, own, slopes = equation(a, r, q, T * time, limit, heights[i], squares, shares[i], quadrature)
                row = [slope * height for slope, height in zip(slopes, heights)]
                row[i] += own
                rows.append(row)
                right.append(residual)
            steps = solve_linear(rows, right)
            moved = [min(max(height - step, height / 3), height * 3) for height, step in zip(heights, steps)]
            # Before them the polynomial is below its rounding, and does not matter.
            pairs = [(new, old) for new, old, time in zip(moved, heights, grid.times) if time > 1e-5]
            change = max(abs(new * new - old * old) for new, old in pairs) / max(moved) ** 2
            heights = moved
            if change < tolerance:
                return heights, change
        raise ArithmeticError('the boundary does not converge: %.2g' % change)

    def slopes(self, a, r, q, t, limit, height, squares, shares, quadrature):
        """ln of the two sides of the equation of slopes."""
        s, root = self.side, a.sqrt(t)
        level = -s * height
        gain = loss = own_gain = own_loss = 0
        gains, losses = [0] * len(squares), [0] * len(squares)
        if s > 0:
            d = (level + a.log(limit)) / root + (r - q + 0.5) * root
            gain, own_gain = a.exp(-q * t) * a.normal(d), a.exp(-q * t) * a.density(d) / root
        excess = r - q if limit == 1 else 0
        for (share, weight), row in zip(quadrature, shares):
            square = sum(x * y for x, y in zip(row, squares))
            there = -s * a.sqrt(abs(square))
            v = root * share
            d = (level - there) / v + (r - q + 0.5) * v
            decay = a.exp(-q * v * v)
            unit = s * decay * a.density(d) * weight * t / v
            earned = excess + r / limit * a.expm1(-there)
            gain += q * weight * t * decay * a.normal(s * d)
            loss += unit * earned
            g, l = q * unit, -unit * d * earned / v
            own_gain += g
            own_loss += l
            c = 0 if there == 0 else (1 if square < 0 else -1) / there
            for j, share_of in enumerate(row):
                gains[j] += c * g * share_of
                losses[j] += c * (l + unit * (earned + q)) * share_of
        if gain / loss > 0:
            return math.log(gain / loss), -s * (own_gain / gain - own_loss / loss), [x / gain - y / loss for x, y in zip(gains, losses)]
        return gain - loss, -s * (own_gain - own_loss), [x - y for x, y in zip(gains, losses)]

    def values(self, a, r, q, t, limit, height, squares, shares, quadrature):
        """The put at the boundary less its payoff, over the boundary; its slope there by the boundary itself is 0."""
        s, root = self.side, a.sqrt(t)
        level = -s * height
        log_limit = a.log(limit)
        b = limit * a.exp(level)
        residual, slopes = a.number(0), [a.number(0)] * len(squares)
        own = a.number(0)
        if s > 0:
            up = (level + log_limit) / root + (r - q + a.number(1) / 2) * root
            residual = a.exp(-r * t) * a.normal(up - root) / b - a.exp(-q * t) * a.normal(up)
            own -= a.exp(-r * t) * a.normal(up - root) / b
        for (share, weight), row in zip(quadrature, shares):
            square = sum(x * y for x, y in zip(row, squares))
            there = -s * a.sqrt(abs(square))
            v = root * share
            d = (level - there) / v + (r - q + a.number(1) / 2) * v
            w = weight * t
            strike = r * w * a.exp(-r * v * v) * a.normal(s * (d - v)) / b
            residual += strike - q * w * a.exp(-q * v * v) * a.normal(s * d)
            # By ln b(u), of which the square has the share −side/(2·height) each.
            by_there = -s * a.exp(-q * v * v) * a.density(d) * (r / (limit * a.exp(there)) - q) * w / v
            own += -strike - by_there
            c = 0 if there == 0 else (-1 if square < 0 else 1) / there
            for j, share_of in enumerate(row):
                slopes[j] += c * by_there * share_of
        # At the solution the derivative by the boundary itself vanishes: so it solves the equation of slopes too.
        return residual, -s * own, slopes

    def log_at(self, time):
        square = sum(x * height ** 2 for x, height in zip(self.map.shares(min(time / self.horizon, mpfr(1))), self.heights))
        return gmpy2.log(self.limit) - self.side * gmpy2.sqrt(abs(square))


def boundary(r, q, horizon, limit, side):
    distance = -float(gmpy2.log(mpfr(limit)) / gmpy2.sqrt(horizon))
    if side < 0:
        return Boundary(r, q, horizon, limit, side, 40, 0)
    if distance < 0.003:
        return Boundary(r, q, horizon, limit, side, 44, None)
    stretch = round(2 * math.asinh(5 / distance)) / 2
    return Boundary(r, q, horizon, limit, side, 44 if distance > 2.2 else 72, stretch)


class Region:
    """Where the put is exercised: `upper` and maybe `lower`, up to the time `end`. None where it never is."""

    def __init__(self, r, q, horizon):
        self.upper = self.lower = None
        self.end = horizon
        if r <= 0 and q >= r:
            return
        if r >= 0:
            self.upper = boundary(r, q, horizon, r / q if r > 0 and q > r else mpfr(1), 1)
            return
        tried = min(horizon, 4 * gmpy2.log(r / q) ** 2)
        low, high = mpfr(0), None
        for _ in range(30):
            try:
                self.upper, self.lower = boundary(r, q, tried, mpfr(1), 1), boundary(r, q, tried, r / q, -1)
            except (ArithmeticError, OverflowError, ValueError):
                high = tried
            else:
                if self.gap(tried) <= 0:
                    if tried < 2 * self.meet(tried):
                        return
                    low, high = mpfr(0), self.end * mpfr('1.1')
                    tried = high
                    continue
                if tried == horizon:
                    return
                low = tried
            tried = tried / 4 if low == 0 else min(horizon, gmpy2.sqrt(low * min(high or 16 * low, 16 * low)))
        raise ArithmeticError('the boundaries do not meet')

    def gap(self, time):
        return self.upper.log_at(time) - self.lower.log_at(time)

    def meet(self, horizon):
        low, high = mpfr(0), horizon
        for _ in range(110):
            middle = (low + high) / 2
            low, high = (middle, high) if self.gap(middle) > 0 else (low, middle)
        self.end = low
        return low


def earned(found, x, t, until, sign, nodes):
    """The integral of what exercise earns below (sign 1) or above (−1) a boundary, with two derivatives by the spot."""
    r, q, S = found.r, found.q, gmpy2.exp(x)
    near, far = gmpy2.sqrt(t - until), gmpy2.sqrt(t)
    width = until / (near + far)
    value = delta = gamma = mpfr(0)
    for share, rest, weight in nodes:
        v = near + width * share
        there = found.log_at(width * rest * (far + v))
        d = (x - there) / v + (r - q + mpfr('0.5')) * v
        w = 2 * v * width * weight
        spot = gmpy2.exp(-q * v * v) * Exact.normal(-sign * d)
        value += w * (r * gmpy2.exp(-r * v * v) * Exact.normal(-sign * (d - v)) - q * S * spot)
        flow = sign * w * gmpy2.exp(-q * v * v) * Exact.density(d) / v
        excess = r * gmpy2.exp(-there) - q
        delta -= flow * excess + w * q * spot
        gamma += flow * (excess * d / v + q) / S
    return [value, delta, gamma]


NODES = {}


def put_slopes(region, x, t):
    """Value, delta and gamma of the put with the strike 1 less those of the European one, or None where it is exercised."""
    if not NODES:
        NODES['all'] = rule(Exact, mpfr(1) / 40)
    nodes = NODES['all']
    if region.upper is None:
        return [mpfr(0)] * 3
    if region.lower is not None and region.end < t:
        sign = 1 if x > region.upper.log_at(region.end) else -1
        more, less = (region.upper, region.lower) if sign > 0 else (region.lower, region.upper)
        return [a - b for a, b in zip(earned(more, x, t, region.end, sign, nodes), earned(less, x, t, region.end, sign, nodes))]
    if x > region.upper.log_at(t):
        return earned(region.upper, x, t, t, 1, nodes)
    if region.lower is None or x >= region.lower.log_at(t):
        return None
    call = european(1, x, region.lower.r, region.lower.q, t)
    return [a - b for a, b in zip(earned(region.lower, x, t, t, -1, nodes), call)]


def european(sign, x, r, q, t):
    """Value, delta and gamma of a call (1) or put (−1) with the strike 1."""
    S, root = gmpy2.exp(x), gmpy2.sqrt(t)
    d = x / root + (r - q + mpfr('0.5')) * root
    delta = sign * gmpy2.exp(-q * t) * Exact.normal(sign * d)
    return [S * delta - sign * gmpy2.exp(-r * t) * Exact.normal(sign * (d - root)), delta,
            gmpy2.exp(-q * t) * Exact.density(d) / (S * root)]


def in_units(given):
    """r, q, ln(S/K) and T of the put that is worth as much, by the variance of the log price, and its strike."""
    context.precision = PRECISION
    S, K, r, q, v, T = (mpfr(given[name]) for name in
                        ('spot', 'strike', 'risk_free_rate', 'dividend_yield', 'volatility', 'time_to_maturity'))
    if given['option_type'] == 'call':
        S, K, r, q = K, S, q, r
    return r / v ** 2, q / v ** 2, gmpy2.log(S / K), T * v ** 2, K


def american(given):
    """The fields of the reply."""
    r, q, x, t, unit = in_units(given)
    is_call = given['option_type'] == 'call'
    region = Region(r, q, t)
    S, K, rate, yield_, v = (mpfr(given[name]) for name in ('spot', 'strike', 'risk_free_rate', 'dividend_yield', 'volatility'))
    plain = european(-1, x, r, q, t)
    more = put_slopes(region, x, t)
    if more is None:
        payoff = K - S if not is_call else S - K
        return dict(price=payoff, european_price=unit * plain[0], early_exercise_premium=payoff - unit * plain[0],
                    delta=mpfr(1 if is_call else -1), gamma=mpfr(0), theta=mpfr(0))
    value, delta, gamma = (a + b for a, b in zip(plain, more))
    price = unit * value
    if is_call:
        ratio = gmpy2.exp(x)
        delta, gamma = value - ratio * delta, gamma * ratio ** 2 / unit
    else:
        gamma = gamma / unit
    theta = rate * price - (rate - yield_) * S * delta - v ** 2 * S ** 2 * gamma / 2
    return dict(price=price, european_price=unit * plain[0], early_exercise_premium=unit * more[0], delta=delta, gamma=gamma, theta=theta)


def stiffness(given):
    r, q, _, t, _ = in_units(given)
    return float(((r - q - mpfr('0.5')) ** 2 / 2 + abs(r)) * t)


def judge(given, output, refused):
    if refused:
        return dict(refused=True) if 'boundary' in refused and stiffness(given) > 59.9 else dict(wrong=refused)
    try:
        exact = american(given)
    except ArithmeticError as error:
        return dict(skipped=str(error))
    S, v = mpfr(given['spot']), mpfr(given['volatility'])
    price = exact['price']
    terms = (given['risk_free_rate'] * price, (given['risk_free_rate'] - given['dividend_yield']) * S * exact['delta'],
             v * v * S * S * exact['gamma'] / 2)
    allowed = dict(
        price=PRICE_TOLERANCE * price, european_price=PRICE_TOLERANCE * exact['european_price'],
        early_exercise_premium=max(PREMIUM_TOLERANCE * exact['early_exercise_premium'], PRICE_TOLERANCE * price),
        delta=DELTA_TOLERANCE * abs(exact['delta']), gamma=CURVATURE_TOLERANCE * abs(exact['gamma']),
        theta=CURVATURE_TOLERANCE * max(map(abs, terms)))
    shares = {name: float(abs(mpfr(output[name]) - exact[name]) / (most + 4 * SMALLEST)) for name, most in allowed.items()}
    worst = max(shares, key=shares.get)
    if shares[worst] > 1:
        return dict(wrong='%s is %s, not %s (%.2g of the tolerance)' % (worst, short(mpfr(output[worst])), short(exact[worst]), shares[worst]))
    return dict(share=shares[worst], error=float(abs(mpfr(output['price']) - price) / price))


def draw_option(draw):
    """As traded; or with negative rates; or with numbers from many decades, whose boundary settles in up to ten deviations."""
    while True:
        maturity = draw.decades(0.01, 10)
        volatility = draw.decades(0.05, 0.8)
        rate, dividend_yield = draw.between(0, 0.1), draw.between(0, 0.1)
        if draw.likely(0.2):
            maturity, volatility = draw.decades(1e-4, 100), draw.decades(0.01, 2)
            rate = draw.decades(1e-6, 0.3)
        if draw.likely(0.2):
            dividend_yield = 0.0
        elif draw.likely(0.2):
            dividend_yield = rate * (1 + draw.sign() * draw.decades(1e-5, 0.5))
        elif draw.likely(0.2):
            rate, dividend_yield = -draw.between(0, 0.03), -draw.between(0, 0.06)
        kind = draw.pick('call', 'put')
        # Deviations out of the money.
        x = draw.between(-3, 9) * volatility * math.sqrt(maturity) * (1 if kind == 'put' else -1)
        given = dict(spot=100 * math.exp(x), strike=100.0, risk_free_rate=rate, volatility=volatility, time_to_maturity=maturity,
                     dividend_yield=dividend_yield, option_type=kind)
        if stiffness(given) < 100:
            return given


DOMAIN = 'σ 0.01…2, T 1e-4…100, rates −0.06…0.3, spots to three deviations in the money and nine out of it, drift up to 14 deviations'
SWEEPS = [dict(path=PATH, points=40, draw=draw_option, judge=judge, text=DOMAIN)]


def option(option_type='put', **others):
    usual = dict(spot=100.0, strike=105.0, risk_free_rate=0.05, volatility=0.2, time_to_maturity=1.0, dividend_yield=0.02)
    return {**usual, 'option_type': option_type, **others}


OPTIONS = [
    ('put', 'market', option()), ('call', 'market', option('call', dividend_yield=0.06)),
    ('call_below_rate', 'market', option('call', dividend_yield=0.03)), ('no_dividend', 'market', option(dividend_yield=0.0)),
    ('as_andersen', 'market', option(strike=100.0, dividend_yield=0.05, volatility=0.25)),
    ('short', 'market', option(time_to_maturity=0.02, spot=104.0)), ('long', 'market', option(time_to_maturity=30.0, volatility=0.3)),
    ('negative_yield', 'market', option(dividend_yield=-0.04)), ('exercised', 'exercised', option(spot=70.0)),
    ('just_held', 'boundary', option(spot=84.65, dividend_yield=0.0)), ('call_exercised', 'exercised', option('call', spot=200.0, dividend_yield=0.08)),
    ('far_out', 'tail', option(spot=300.0)), ('farther_out', 'tail', option(spot=500.0, volatility=0.15)),
    ('passage', 'near_rates', option(dividend_yield=0.052)), ('close_rates', 'near_rates', option(dividend_yield=0.0505)),
    ('long_passage', 'near_rates', option(dividend_yield=0.055, time_to_maturity=20.0)),
    ('small_rate', 'small_rate', option(risk_free_rate=1e-6, dividend_yield=0.0)),
    ('smaller_rate_than_yield', 'small_rate', option(risk_free_rate=0.001, dividend_yield=0.05, time_to_maturity=5.0)),
    ('little_volatility', 'stiff', option(volatility=0.02, spot=104.9)), ('less_volatility', 'stiff', option(volatility=0.008, dividend_yield=0.0, spot=106.0)),
    ('two_boundaries', 'negative_rates', option(risk_free_rate=-0.01, dividend_yield=-0.03, volatility=0.1, time_to_maturity=2.0)),
    ('below_both', 'negative_rates', option(risk_free_rate=-0.005, dividend_yield=-0.05, volatility=0.1, time_to_maturity=2.0, spot=8.0)),
    ('after_meeting', 'negative_rates', option(risk_free_rate=-0.03, dividend_yield=-0.04, volatility=0.3, time_to_maturity=2.0)),
    ('call_after_meeting', 'negative_rates', option('call', risk_free_rate=-0.04, dividend_yield=-0.03, volatility=0.3, time_to_maturity=2.0)),
    ('no_exercise', 'negative_rates', option(risk_free_rate=-0.02, dividend_yield=0.01)),
]

VECTORS = dict(
    path=PATH, exact=lambda given: dict(american(given), option_type=given['option_type']), rel_tol=1e-8, abs_tol=1e-9, about='price and Greeks of American options',
    source='value matching at Chebyshev points in 120 bits, about 17 digits', cases=OPTIONS,
)
