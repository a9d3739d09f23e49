"""Variance Gamma call prices to 40 digits by two methods that share no formula, for mpmath.

Both take the inputs as exact float64 values and price the option out of the money by its forward, so that neither
subtracts anything large. They are far too slow for anything but reference values.
"""
from mpmath import mp, mpf, mpc, exp, log, log1p, expm1, erfc, sqrt, pi, loggamma, sinh, cosh, sin, cos, fabs, re

DIGITS = 30


def parameters(S, K, T, r, sigma, theta, nu, q):
    S, K, T, r, sigma, theta, nu, q = map(mpf, (S, K, T, r, sigma, theta, nu, q))
    a = T / nu
    gap = nu * theta + nu * sigma * sigma / 2
    margin = 1 - gap
    x = log(S / K) + (r - q) * T
    return S, K, T, r, sigma, theta, nu, q, a, margin, x


def call_from(otm, S, K, T, r, q, x):
    """The call from the option out of the money, which is the put where x > 0."""
    return otm if x <= 0 else otm + S * exp(-q * T) - K * exp(-r * T)


_rules = {}


def gauss_legendre(n):
    """Nodes and weights by Newton's method on the Legendre recurrence."""
    key = (n, mp.prec)
    if key not in _rules:
        nodes = []
        for i in range(1, n + 1):
            z = cos(pi * (i - mpf(1) / 4) / (n + mpf(1) / 2))
            for _ in range(60):
                p0, p1 = mpf(1), z
                for k in range(2, n + 1):
                    p0, p1 = p1, ((2 * k - 1) * z * p1 - (k - 1) * p0) / k
                slope = n * (z * p1 - p0) / (z * z - 1)
                step = p1 / slope
                z -= step
                if fabs(step) < mpf(10) ** (-mp.dps + 3):
                    break
            nodes.append((z, 2 / ((1 - z * z) * slope * slope)))
        _rules[key] = nodes
    return _rules[key]


def mixture(*given):
    """Mean of Black-Scholes values over the gamma time (Madan, Carr & Chang 1998), by composite Gauss-Legendre
    quadrature in the logarithm of the time, on panels graded towards the time at which the option passes the money."""
    mp.dps = DIGITS + 25
    S, K, T, r, sigma, theta, nu, q, a, margin, x = parameters(*given)
    if T == 0:
        return max(S - K, mpf(0))
    level = x + a * log(margin)
    drift = (theta + sigma * sigma / 2) * T
    deviation = sigma * sqrt(T)
    is_call = x <= 0
    norm = a * log(a) - a - loggamma(a) if a < mpf(10) ** 30 else log(a / (2 * pi)) / 2 - 1 / (12 * a)
    root2 = sqrt(mpf(2))

    def value(u):
        w = exp(u)
        m = level + drift * w
        weight = exp(norm + a * (u - expm1(u)))
        s = deviation * exp(u / 2)
        # The time value is below 1e-130 of the payoff from 25 deviations on.
        if s == 0 or fabs(m) > 25 * s and (m > 0) == is_call:
            return weight * (max(expm1(m), 0) if is_call else max(-expm1(m), 0))
        d2 = m / s - s / 2
        d1 = d2 + s
        # Where |d| is large the two terms cancel to about 1/(s·d²) of themselves.
        lost = max(0, -mp.mag(s)) + 2 * max(0, mp.mag(d1), mp.mag(d2)) + 10
        with mp.workprec(mp.prec + int(lost)):
            if is_call:
                return weight * (exp(m) * erfc(-d1 / root2) - erfc(-d2 / root2)) / 2
            return weight * (erfc(d2 / root2) - exp(m) * erfc(d1 / root2)) / 2

    def size(u):
        """Logarithm of an upper estimate of the integrand, in machine numbers where possible."""
        w = exp(u)
        m = level + drift * w
        s = deviation * exp(u / 2)
        result = norm + a * (u - expm1(u))
        if (m > 0) == is_call and m != 0:
            gain = (m if m > 1 else log(expm1(m))) if is_call else log(-expm1(m))
            return result + max(gain, log(s) - 1 - m * m / (s * s) / 2 if s > 0 else gain)
        if s == 0:
            return mpf('-inf')
        d = m / s - s / 2
        return result + (min(mpf(0), m) if s > 1 else min(log(s), mpf(0))) - (
            d * d / 2 if d * m >= 0 else mpf(0))

    kink = -level / drift if drift != 0 else mpf(-1)
    marks = [mpf(0), -log(margin)]
    if kink > 0:
        marks.append(log(kink))
    if deviation > 0:
        tilt = drift - deviation * deviation / 2
        rise = a + tilt * tilt / (2 * deviation ** 2)
        fall = level * level / (2 * deviation ** 2)
        alpha = a + mpf(1) / 2
        marks.append(log((alpha + sqrt(alpha * alpha + 4 * rise * fall)) / (2 * rise)))
        # The time value at small times, where the integrand falls with another power.
        if level != 0:
            marks.append(2 * log(fabs(level) / deviation))
    width = 1 / sqrt(a + mpf(1))
    if deviation > 0:
        width = min(width, 1 / sqrt(alpha + sqrt(alpha * alpha + 4 * rise * fall))) if kink <= 0 else width
    layer = deviation / sqrt(fabs(level * drift)) if kink > 0 and deviation > 0 else width
    edges = set()
    for mark in marks:
        edges.add(mark)
        # Panels of constant size next to a mark, then growing with the distance from it.
        for side in (1, -1):
            distance = mpf(0)
            panel = min(layer, width, mpf(1)) / 2
            while distance < 4000 + 200 / a and len(edges) < 40000:
                distance += max(panel, distance / 3)
                edges.add(mark + side * distance)
    edges = sorted(edges)
    sizes = [size(u) for u in edges]
    top = max(sizes)
    floor = top - (DIGITS + 8) * mpf('2.31') - 2 * log(1 + 1 / a)
    total = mpf(0)
    rule = gauss_legendre(30)
    for i in range(len(edges) - 1):
        low, high = edges[i], edges[i + 1]
        if max(sizes[i], sizes[i + 1]) < floor:
            continue
        scale = min(1 / sqrt(a * exp(max(low, high)) + 1), mpf(1) / 2)
        if high < min(marks) - 70:
            # Here only the density changes, as exp(a*u).
            scale = 1 / (4 * a)
        pieces = int((high - low) / (2 * scale)) + 1
        pieces = min(pieces, 2000)
        width = (high - low) / pieces
        for piece in range(pieces):
            middle = low + width * (piece + mpf(1) / 2)
            if max(size(middle - width / 2), size(middle + width / 2), size(middle)) < floor:
                continue
            total += width / 2 * sum(weight * value(middle + width / 2 * node) for node, weight in rule)
    return call_from(K * exp(-r * T) * total, S, K, T, r, q, x)


def contour(*given, digits=DIGITS):
    """Inversion of the moment generating function (Lewis 2001), through a saddle point along a curve bent to where the
    integrand decays exponentially (Boyarchenko & Levendorskii 2019), by the trapezoidal rule with halving steps."""
    mp.dps = digits + 25
    S, K, T, r, sigma, theta, nu, q, a, margin, x = parameters(*given)
    if T == 0:
        return max(S - K, mpf(0))
    level = x + a * log(margin)
    # 1 - theta nu s - sigma^2 nu s^2/2 = 0
    b, c2 = theta * nu, sigma * sigma * nu / 2
    if c2 == 0:
        if b == 0:
            return max(S * exp(-q * T) - K * exp(-r * T), mpf(0))
        upper = 1 / b if b > 0 else mpf('inf')
        lower = 1 / b if b < 0 else mpf('-inf')
    else:
        root = sqrt(b * b + 4 * c2)
        upper = 2 / (b + root) if b > 0 else (root - b) / (2 * c2)
        lower = -2 / (root - b) if b < 0 else -(root + b) / (2 * c2)

    def exponent(s):
        # ln(1 - bs - cs²) through the factors, so that each stays on its own side of its cut.
        if c2 == 0:
            quadratic = log(1 - b * s)
        else:
            quadratic = log(1 - s / upper) + log(1 - s / lower)
        return s * level - a * quadratic

    def slope(s):
        quadratic = -b / (1 - b * s) if c2 == 0 else -1 / (upper - s) - 1 / (lower - s)
        return level - a * quadratic - 1 / s - 1 / (s - 1)

    def saddle_between(low, high):
        """The real saddle point of exp(exponent)/|s(s - 1)| between two singularities, where its slope changes sign."""

        def position(t):
            if mp.isinf(low):
                return high - exp(-t)
            if mp.isinf(high):
                return low + exp(t)
            return low + (high - low) / (1 + exp(-t))

        bound = mpf(3000) if mp.isinf(low) or mp.isinf(high) else mpf(100)
        left, right = -bound, bound
        while right - left > mpf(10) ** -9 * (1 + fabs(left)):
            middle = (left + right) / 2
            left, right = (middle, right) if slope(position(middle)) < 0 else (left, middle)
        s = position((left + right) / 2)
        return exponent(s) - log(fabs(s * (s - 1))), s

    # With the contour right of 1 the integral is the call, between 0 and 1 the call less the spot, left of 0 the put. Of
    # the two that do not cancel the smaller integral converges best.
    outer = saddle_between(mpf(1), upper) if x <= 0 else saddle_between(lower, mpf(0))
    inner = saddle_between(mpf(0), mpf(1))
    peak, saddle = min(outer, inner)
    h = mpf(10) ** -9 * min(fabs(saddle), fabs(saddle - 1), fabs(upper - saddle), fabs(saddle - lower))
    curvature = (slope(saddle + h) - slope(saddle - h)) / (2 * h)
    size = 1 / sqrt(curvature)
    bend = -1 if level > 0 else 1
    bent, upright = bend * sin(mpf(2) / 5), cos(mpf(2) / 5)

    def term(w):
        grown = exp(w)
        ch, sh = (grown + 1 / grown) / 2, (grown - 1 / grown) / 2
        s = saddle + size * mpc(bent * (ch - 1), upright * sh)
        derivative = size * mpc(bent * sh, upright * ch)
        # ds/(2 pi i): the real part of value times derivative over i pi, for w > 0.
        return re(exp(exponent(s) - peak) / (s * (s - 1)) * derivative / mpc(0, 1))

    limit = mpf(10) ** (-digits - 8)

    def tail(step, offset):
        total, quiet, n = mpf(0), 0, 0
        while quiet < 12:
            w = step * (n + offset)
            value = term(w)
            if n == 0 and offset == 0:
                value /= 2
            total += value
            quiet = quiet + 1 if fabs(value) < limit * fabs(total) or w > 12000 else 0
            n += 1
            if n > 60000:
                raise ArithmeticError('no convergence')
        return total

    step = mpf(1) / 4
    total = tail(step, mpf(0))
    previous = total * step
    for _ in range(10):
        total += tail(step, mpf(1) / 2)
        step /= 2
        current = total * step
        if fabs(current - previous) < mpf(10) ** (-digits / 2 - 6) * fabs(current):
            # The error of the trapezoidal rule is squared by the next halving.
            total += tail(step, mpf(1) / 2)
            step /= 2
            current = total * step
            break
        previous = current
    integral = K * exp(-r * T) * exp(peak) * current / pi
    if (peak, saddle) == outer:
        return call_from(integral, S, K, T, r, q, x)
    return S * exp(-q * T) + integral
