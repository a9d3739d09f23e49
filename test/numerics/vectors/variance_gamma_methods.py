"""Variance Gamma call prices to 40 digits by two methods that share no formula, for gmpy2.

Both take the inputs as exact float64 values and price the option out of the money by its forward, so that neither
subtracts anything large. They are far too slow for anything but reference values: 0.1 to 3 s each.
"""
import gmpy2
from gmpy2 import mpc, mpfr, cos, exp, expm1, log, sin, sqrt

DIGITS = 40
"""The sums end, and the panels are refined, at this share of the result."""
LIMIT = mpfr(10) ** -(DIGITS + 4)
INFINITY = mpfr('inf')

context = gmpy2.get_context()
context.emin, context.emax = gmpy2.get_emin_min(), gmpy2.get_emax_max()


def bits_of(value):
    """log2|value| rounded up; 0 for 0."""
    return 0 if value == 0 or not gmpy2.is_finite(value) else abs(gmpy2.frexp(mpfr(value))[0])


def parameters(S, K, T, r, sigma, theta, nu, q):
    """The inputs as exact numbers, at a precision that leaves 200 bits after the cancellations of the exponents."""
    context.precision = 2200
    S, K, T, r, sigma, theta, nu, q = map(mpfr, (S, K, T, r, sigma, theta, nu, q))
    margin = 1 - nu * theta - nu * sigma * sigma / 2
    if not margin > 0:
        raise ValueError('no mean')
    a = T / nu
    x = log(S / K) + (r - q) * T
    level = x + a * log(margin)
    context.precision = 230 + sum(map(bits_of, (a, x, level, sigma * sigma * T, margin)))
    return tuple(+value for value in (S, K, T, r, sigma, theta, nu, q, a, margin, x, level))


def call_from(otm, S, K, T, r, q, x):
    """The call from the option out of the money, which is the put where x > 0."""
    return otm if x <= 0 else otm + S * exp(-q * T) - K * exp(-r * T)


_rules = {}
ORDER = 20


def gauss_legendre():
    """Nodes and weights by Newton's method on the Legendre recurrence."""
    key = context.precision
    if key not in _rules:
        n, nodes = ORDER, []
        for i in range(1, n + 1):
            z = cos(gmpy2.const_pi() * (i - mpfr(1) / 4) / (n + mpfr(1) / 2))
            for _ in range(60):
                p0, p1 = mpfr(1), z
                for k in range(2, n + 1):
                    p0, p1 = p1, ((2 * k - 1) * z * p1 - (k - 1) * p0) / k
                slope = n * (z * p1 - p0) / (z * z - 1)
                step = p1 / slope
                z -= step
                if abs(step) < mpfr(2) ** (8 - key):
                    break
            nodes.append((z, 2 / ((1 - z * z) * slope * slope)))
        _rules.clear()
        _rules[key] = nodes
    return _rules[key]


def erfc(x):
    """gmpy2's, or beyond 4, where that takes milliseconds, Laplace's continued fraction."""
    if x < 4:
        return gmpy2.erfc(x)
    rest = x
    for k in range(int((context.precision / (3 * x)) ** 2) + 30, 0, -1):
        rest = x + k / (2 * rest)
    return exp(-x * x) / (rest * sqrt(gmpy2.const_pi()))


def mixture(*given):
    """Mean of Black-Scholes values over the gamma time (Madan, Carr & Chang 1998), by adaptive Gauss-Legendre quadrature in
    the logarithm of the time, on panels graded towards every place where the integrand may peak or have a kink."""
    S, K, T, r, sigma, theta, nu, q, a, margin, x, level = parameters(*given)
    if T == 0:
        return max(S - K, mpfr(0))
    drift = (theta + sigma * sigma / 2) * T
    deviation = sigma * sqrt(T)
    is_call = x <= 0
    norm = a * log(a) - a - gmpy2.lgamma(a)[0]
    root2 = sqrt(mpfr(2))

    def value(u):
        w = exp(u)
        m = level + drift * w
        s = deviation * exp(u / 2)
        # exp(m) alone may overflow.
        weight = norm + a * (u - expm1(u))
        # The time value is below 1e-130 of the payoff from 25 deviations on.
        if s == 0 or abs(m) > 25 * s and (m > 0) == is_call:
            if (m > 0) != is_call:
                return mpfr(0)
            return exp(weight) * abs(expm1(m)) if m < 1 else exp(weight + m) - exp(weight)
        # Where |d| is large the two terms cancel to about s/d² of themselves.
        d = abs(m) / s
        lost = max(0, -gmpy2.frexp(s)[0]) + 2 * max(0, gmpy2.frexp(d)[0]) + 10
        before = context.precision
        context.precision = before + lost
        d2 = m / s - s / 2
        d1 = d2 + s
        if is_call:
            result = (exp(weight + m) * erfc(-d1 / root2) - exp(weight) * erfc(-d2 / root2)) / 2
        else:
            result = (exp(weight) * erfc(d2 / root2) - exp(weight + m) * erfc(d1 / root2)) / 2
        context.precision = before
        return +result

    def size(u):
        """Logarithm of an upper estimate of the integrand."""
        w = exp(u)
        m = level + drift * w
        s = deviation * exp(u / 2)
        result = norm + a * (u - expm1(u))
        if (m > 0) == is_call and m != 0:
            gain = (m if m > 1 else log(expm1(m))) if is_call else log(-expm1(m))
            return result + max(gain, log(s) - 1 - m * m / (s * s) / 2 if s > 0 else gain)
        if s == 0:
            return -INFINITY
        # Out of the money: exp(-d2²/2) where d2 = m/s - s/2 and m + d2²/2 = d1²/2 tells which side of the peak this is.
        d2 = m / s - s / 2
        near = d2 + s > 0 if is_call else d2 < 0
        return result + min(log(s), mpfr(0)) + ((m if is_call else 0) if near else -d2 * d2 / 2)

    kink = -level / drift if drift != 0 else mpfr(-1)
    marks = [mpfr(0), -log(margin)]
    width = 1 / sqrt(a + 1)
    if kink > 0:
        marks.append(log(kink))
    if deviation > 0:
        tilt = drift - deviation * deviation / 2
        rise = a + tilt * tilt / (2 * deviation ** 2)
        fall = level * level / (2 * deviation ** 2)
        alpha = a + mpfr(1) / 2
        marks.append(log((alpha + sqrt(alpha * alpha + 4 * rise * fall)) / (2 * rise)))
        # The time value at small times, where the integrand falls with another power.
        if level != 0:
            marks.append(2 * log(abs(level) / deviation))
        # The narrowest peak that the time value may have; where there is a kink also its layer.
        width = min(width, 1 / sqrt(alpha + sqrt(alpha * alpha + 4 * rise * fall)))
        if kink > 0:
            width = min(width, deviation / sqrt(abs(level * drift)))
    edges = set(marks)
    for mark in marks:
        for side in (1, -1):
            distance, panel = mpfr(0), min(width, mpfr(1)) / 2
            while distance < 4000 + 200 / a:
                distance += max(panel, distance)
                if side > 0 and mark + distance > 60 + abs(log(a)) and mark + distance > max(marks) + 20:
                    break
                edges.add(mark + side * distance)
    edges = sorted(edges)
    sizes = [size(u) for u in edges]
    floor = max(sizes) - (DIGITS + 8) * mpfr('2.31') - 2 * log(1 + 1 / a)
    rule = gauss_legendre()

    def quadrature(low, high):
        half, middle = (high - low) / 2, (low + high) / 2
        return half * sum(weight * value(middle + half * node) for node, weight in rule)

    panels = [(edges[i], edges[i + 1]) for i in range(len(edges) - 1) if max(sizes[i], sizes[i + 1]) > floor]
    rough = [quadrature(low, high) for low, high in panels]
    total = sum(rough)
    # A coarse sum may be far too large; then the panels are refined again, against the better total.
    for _ in range(3):
        accuracy = LIMIT * total
        better = mpfr(0)
        for (low, high), whole in zip(panels, rough):
            better += refined(quadrature, low, high, whole, accuracy, 0)
        if better > total / 16:
            return call_from(K * exp(-r * T) * better, S, K, T, r, q, x)
        total = better
    raise ArithmeticError('no convergence')


def refined(quadrature, low, high, whole, accuracy, depth):
    middle = (low + high) / 2
    left, right = quadrature(low, middle), quadrature(middle, high)
    # Where the rule of order 20 differs from its halves by e, these are wrong by less than 2^-30·e.
    if abs(left + right - whole) < accuracy * 10 ** 8:
        return left + right
    if depth > 60:
        raise ArithmeticError('no convergence')
    return (refined(quadrature, low, middle, left, accuracy, depth + 1)
            + refined(quadrature, middle, high, right, accuracy, depth + 1))


def saddle_point(slope, low, high):
    """The real saddle point of an integrand between two of its singularities, where the slope of its logarithm changes sign."""

    def position(t):
        if gmpy2.is_infinite(low):
            return high - exp(-t)
        if gmpy2.is_infinite(high):
            return low + exp(t)
        return low + (high - low) / (1 + exp(-t))

    bound = mpfr(3000) if gmpy2.is_infinite(low) or gmpy2.is_infinite(high) else mpfr(100)
    left, right = -bound, bound
    while right - left > mpfr(10) ** -9 * (1 + abs(left)):
        middle = (left + right) / 2
        left, right = (middle, right) if slope(position(middle)) < 0 else (left, middle)
    return position((left + right) / 2)


def contour(*given):
    """Inversion of the moment generating function (Lewis 2001), through a saddle point along a curve bent to where the
    integrand decays exponentially (Boyarchenko & Levendorskii 2019), by the trapezoidal rule with halving steps."""
    S, K, T, r, sigma, theta, nu, q, a, margin, x, level = parameters(*given)
    if T == 0:
        return max(S - K, mpfr(0))
    # 1 - theta nu s - sigma^2 nu s^2/2 = 0
    b, c2 = theta * nu, sigma * sigma * nu / 2
    if c2 == 0:
        if b == 0:
            return max(S * exp(-q * T) - K * exp(-r * T), mpfr(0))
        upper = 1 / b if b > 0 else INFINITY
        lower = 1 / b if b < 0 else -INFINITY
    else:
        root = sqrt(b * b + 4 * c2)
        upper = 2 / (b + root) if b > 0 else (root - b) / (2 * c2)
        lower = -2 / (root - b) if b < 0 else -(root + b) / (2 * c2)

    def exponent(s):
        # ln(1 - bs - cs²) through the factors, so that each stays on its own side of its cut.
        if c2 == 0:
            return s * level - a * log(1 - b * s)
        return s * level - a * (log(1 - s / upper) + log(1 - s / lower))

    def slope(s):
        quadratic = -b / (1 - b * s) if c2 == 0 else -1 / (upper - s) - 1 / (lower - s)
        return level - a * quadratic - 1 / s - 1 / (s - 1)

    def saddle_between(low, high):
        s = saddle_point(slope, low, high)
        return exponent(s) - log(abs(s * (s - 1))), s

    # With the contour right of 1 the integral is the call, between 0 and 1 the call less the spot, left of 0 the put. Of
    # the two that do not cancel the smaller integral converges best.
    outer = saddle_between(mpfr(1), upper) if x <= 0 else saddle_between(lower, mpfr(0))
    inner = saddle_between(mpfr(0), mpfr(1))
    peak, saddle = min(outer, inner)
    h = mpfr(10) ** -9 * min(abs(saddle), abs(saddle - 1), abs(upper - saddle), abs(saddle - lower))
    curvature = (slope(saddle + h) - slope(saddle - h)) / (2 * h)
    # A branch point with a small power bends the integrand less than its distance tells.
    size = min(1 / sqrt(curvature), mpfr(10) ** 9 * h)
    bend = -1 if level > 0 else 1
    bent, upright = bend * sin(mpfr(2) / 5), cos(mpfr(2) / 5)

    def term(w):
        grown = exp(w)
        ch, sh = (grown + 1 / grown) / 2, (grown - 1 / grown) / 2
        s = mpc(saddle + size * bent * (ch - 1), size * upright * sh)
        derivative = size * mpc(bent * sh, upright * ch)
        # ds/(2 pi i): the real part of value times derivative over i pi, for w > 0.
        return (exp(exponent(s) - peak) / (s * (s - 1)) * derivative).imag

    def tail(step, offset):
        total, largest, quiet, n = mpfr(0), mpfr(0), 0, 0
        while quiet < 12:
            w = step * (n + offset)
            value = term(w)
            if n == 0 and offset == 0:
                value /= 2
            total += value
            largest = max(largest, abs(value))
            quiet = quiet + 1 if abs(value) < LIMIT * largest / 10000 or w > 12000 else 0
            n += 1
            if n > 60000:
                raise ArithmeticError('no convergence')
        return total

    step = mpfr(1) / 4
    total = tail(step, mpfr(0))
    previous = total * step
    for _ in range(12):
        total += tail(step, mpfr(1) / 2)
        step /= 2
        current = total * step
        # Halving the step squares the error, and that of the sum before is about the difference.
        if abs(current - previous) < LIMIT ** 0.5 / 1000 * abs(current):
            break
        previous = current
    else:
        raise ArithmeticError('no convergence')
    integral = K * exp(-r * T) * exp(peak) * current / gmpy2.const_pi()
    if (peak, saddle) == outer:
        return call_from(integral, S, K, T, r, q, x)
    return S * exp(-q * T) + integral
