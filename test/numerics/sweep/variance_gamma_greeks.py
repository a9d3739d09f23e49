"""Greeks of Variance Gamma options in 40 digits: reference vectors, the inputs of the sweep, and their judge.

Each Greek is a contour integral of its own: the price's integrand (Lewis 2001) times the derivative of its exponent. The
second method is a difference quotient of the price by another integral, over the gamma time (`differences`).
"""
import gmpy2
from gmpy2 import cos, exp, log, mpc, mpfr, sin, sqrt

from exact import LARGEST, LEAST_NORMAL, SMALLEST, context, short

from variance_gamma import FAMILIES, is_accepted
from variance_gamma_methods import INFINITY, LIMIT, mixture, parameters, saddle_point

PATH = '/quantlib/models/variance-gamma/greeks'
ORDER = ('S', 'K', 'T', 'r', 'sigma', 'theta_vg', 'nu', 'q')
GREEKS = ('price', 'delta', 'gamma', 'd_sigma', 'd_theta_vg', 'd_nu', 'theta', 'rho')
TOLERANCE = mpfr('1e-11')
ROUNDINGS = 100 * mpfr(2) ** -53


def arguments(given):
    return [given.get(name, 0) for name in ORDER]


def greeks(given, moved=None):
    """The Greeks of an option in the order of GREEKS."""
    S, K, T, r, sigma, theta, nu, q, a, margin, x, level = parameters(*(moved or arguments(given)))
    b, c = theta * nu, sigma * sigma * nu / 2
    if c == 0:
        upper, lower = (1 / b, -INFINITY) if b > 0 else (INFINITY, 1 / b)
    else:
        root = sqrt(b * b + 4 * c)
        upper = 2 / (b + root) if b > 0 else (root - b) / (2 * c)
        lower = -2 / (root - b) if b < 0 else -(root + b) / (2 * c)

    def log_quadratic(s):
        return log(1 - b * s) if c == 0 else log(1 - s / upper) + log(1 - s / lower)

    def slope(s):
        quadratic = -b / (1 - b * s) if c == 0 else -1 / (upper - s) - 1 / (lower - s)
        return level - a * quadratic - 1 / s - 1 / (s - 1)

    def saddle_between(low, high):
        s = saddle_point(slope, low, high)
        return s * level - a * log_quadratic(s) - log(abs(s * (s - 1))), s

    # Right of 1 the integral is the call, left of 0 the put: the one out of the money is taken, so that nothing cancels.
    is_call = x <= 0
    peak, saddle = saddle_between(mpfr(1), upper) if is_call else saddle_between(lower, mpfr(0))
    h = mpfr(10) ** -9 * min(abs(saddle), abs(saddle - 1), abs(upper - saddle), abs(saddle - lower))
    curvature = (slope(saddle + h) - slope(saddle - h)) / (2 * h)
    size = min(1 / sqrt(curvature), mpfr(10) ** 9 * h)
    bend = -1 if level > 0 else 1
    bent, upright = bend * sin(mpfr(2) / 5), cos(mpfr(2) / 5)
    log_margin = log(margin)

    def terms(w):
        grown = exp(w)
        ch, sh = (grown + 1 / grown) / 2, (grown - 1 / grown) / 2
        s = mpc(saddle + size * bent * (ch - 1), size * upright * sh)
        lq = log_quadratic(s)
        Q = 1 - b * s - c * s * s
        value = exp(s * level - a * lq - peak) / (s * (s - 1)) * size * mpc(bent * sh, upright * ch)
        jump = s * log_margin - lq
        return (value.imag, (value * s).imag, (value * s * (s - 1)).imag,
                (value * (a * sigma * nu * (s * s / Q - s / margin))).imag,
                (value * (a * nu * s * (1 / Q - 1 / margin))).imag,
                (value * (a * ((theta * s + sigma * sigma * s * s / 2) / Q - s * (theta + sigma * sigma / 2) / margin)
                          - a / nu * jump)).imag,
                -(value * ((r - q) * s - r + jump / nu)).imag,
                (value * T * (s - 1)).imag)

    sums = trapezoidal(terms)
    unit = K * exp(-r * T) * exp(peak) / gmpy2.const_pi()
    scale = (1, 1 / S, 1 / S ** 2, 1, 1, 1, 1, 1)
    found = [unit * one * factor for one, factor in zip(sums, scale)]
    if not 0 <= found[0] <= max(S * exp(-q * T), K * exp(-r * T)):
        raise ArithmeticError('a price beyond its bounds')
    if (given['option_type'] == 'call') != is_call:
        sign = 1 if given['option_type'] == 'call' else -1
        spot, strike = S * exp(-q * T), K * exp(-r * T)
        for i, part in ((0, spot - strike), (1, spot / S), (6, q * spot - r * strike), (7, T * strike)):
            found[i] += sign * part
    return found


def trapezoidal(terms):
    """Sums over w > 0 with half of w = 0, by steps that are halved until each changes by half the digits."""

    def tail(step, offset):
        total, largest, quiet, n = None, None, 0, 0
        while quiet < 12:
            w = step * (n + offset)
            values = terms(w)
            if n == 0 and offset == 0:
                values = tuple(value / 2 for value in values)
            total = values if total is None else tuple(map(sum, zip(total, values)))
            sizes = tuple(map(abs, values))
            largest = sizes if largest is None else tuple(map(max, zip(largest, sizes)))
            small = all(size <= LIMIT * most / 10000 for size, most in zip(sizes, largest))
            quiet = quiet + 1 if small or w > 12000 else 0
            n += 1
            if n > 20000:
                raise ArithmeticError('no convergence')
        return total

    step = mpfr(1) / 4
    total = tail(step, mpfr(0))
    for _ in range(12):
        more = tail(step, mpfr(1) / 2)
        previous = [step * one for one in total]
        total = tuple(map(sum, zip(total, more)))
        step /= 2
        current = [step * one for one in total]
        if all(abs(new - old) <= LIMIT ** 0.5 / 1000 * abs(new) for new, old in zip(current, previous)):
            return current
    raise ArithmeticError('no convergence')


def differences(given):
    """The same by difference quotients of the mean over the gamma time, to about 28 digits (gamma: 22)."""

    def moved(name, share):
        values = dict(zip(ORDER, map(mpfr, arguments(given))))
        context.precision = 400
        step = mpfr(10) ** -7 * (abs(values[name]) or 1)
        values[name] += share * step
        # Call less put: the forward.
        price = mixture(*(values[one] for one in ORDER))
        if given['option_type'] == 'put':
            price += values['K'] * exp(-values['r'] * values['T']) - values['S'] * exp(-values['q'] * values['T'])
        return price, step

    def slope(name):
        found = [moved(name, share) for share in (-2, -1, 1, 2)]
        a, b, c, d = (price for price, _ in found)
        return (8 * (c - b) - (d - a)) / (12 * found[0][1])

    far, step = moved('S', 1)
    here, below = moved('S', 0)[0], moved('S', -1)[0]
    further, furthest = moved('S', 2)[0], moved('S', -2)[0]
    gamma = (16 * (far + below) - further - furthest - 30 * here) / (12 * step * step)
    return [here, slope('S'), gamma, slope('sigma'), slope('theta_vg'), slope('nu'), -slope('T'), slope('r')]


def conditions(given, exact):
    """Sum of |x df/dx| over the inputs for each Greek f: its change by one relative rounding of each."""
    nu, sigma, theta = given['nu'], given['sigma'], given['theta_vg']
    margin = 1 - (nu * theta + nu * (0.5 * sigma * sigma))
    bump = mpfr(10) ** -14 * min(1, margin / (abs(nu * theta) + nu * (0.5 * sigma * sigma)))
    total = [mpfr(0)] * len(GREEKS)
    for name in ORDER:
        if given.get(name, 0) == 0:
            continue
        context.precision = 2200
        values = dict(zip(ORDER, map(mpfr, arguments(given))))
        values[name] *= 1 + bump
        other = greeks(given, [values[one] for one in ORDER])
        total = [sum_ + abs(new - old) / bump for sum_, new, old in zip(total, other, exact)]
    return total


def theta_terms(given, exact):
    """Theta is the sum of these, and accurate relative to the largest."""
    T = given['T']
    return (given['q'] * given['S'] * exact[1], given['r'] * exact[7] / T, given['sigma'] * exact[3] / (2 * T),
            given['theta_vg'] * exact[4] / T, given['nu'] * exact[5] / T)


def judge(given, output, refused):
    if given['sigma'] == 0 and given['theta_vg'] == 0:
        return dict(skipped='no jumps')
    try:
        exact = greeks(given)
    except ArithmeticError as error:
        return dict(skipped='the contour: %s' % error)
    if refused:
        if any(abs(one) > LARGEST / 2 for one in exact) or 'too extreme' in refused or 'lose digits' in refused:
            return dict(refused=True)
        return dict(wrong='refused, but the price is ' + short(exact[0]))
    pairs = [(mpfr(output[name]), one) for name, one in zip(GREEKS, exact)]
    allowed = [TOLERANCE * abs(one) + 4 * SMALLEST for one in exact]
    allowed[6] = max(allowed[6], TOLERANCE * max(map(abs, theta_terms(given, exact))))
    if any(abs(got - one) > most for (got, one), most in zip(pairs, allowed)):
        allowed = [max(most, ROUNDINGS * one) for most, one in zip(allowed, conditions(given, exact))]
    shares = [min(float(abs(got - one) / most), 1e300) for (got, one), most in zip(pairs, allowed)]
    errors = [float(abs(got - one) / abs(one)) for got, one in pairs if abs(one) >= LEAST_NORMAL]
    if max(shares) > 1:
        worst = shares.index(max(shares))
        return dict(wrong='%s is %s, not %s (%.2g of the tolerance)' % (GREEKS[worst], short(pairs[worst][0]), short(exact[worst]), shares[worst]))
    return dict(share=max(shares), error=max(errors, default=0))


class Source:
    """What the families of the price's vectors draw from."""

    def __init__(self, draw):
        self.random = draw.fraction
        self.uniform = draw.between
        self.choice = lambda items: draw.pick(*items)
        self.gauss = lambda mean, width: mean + width * (sum(draw.fraction() for _ in range(12)) - 6)


def draw(draw):
    while True:
        family = draw.pick(*FAMILIES.values(), wide, small) if draw.likely(0.6) else market
        try:
            case = {name: float(value) for name, value in family(Source(draw)).items()}
        except (OverflowError, ZeroDivisionError):
            continue
        if is_accepted(case):
            return dict({name: case[name] for name in ORDER}, option_type=draw.pick('call', 'put'))


def market(source):
    """The options that are traded."""
    u = source.uniform
    return dict(S=100, K=100 * exp(u(-0.7, 0.7)), T=exp(u(-4, 2)), r=u(-0.02, 0.08), q=u(0, 0.05),
                sigma=exp(u(-3, -0.5)), theta_vg=u(-0.5, 0.2), nu=exp(u(-4, 0.7)))


def wide(source):
    """Jumps of many times the price, whose values are surely exercised in both directions."""
    u = source.uniform
    nu, margin = exp(u(4, 14)), exp(u(-7, 0))
    sigma = exp(u(-1, 1))
    return dict(S=100, K=100 * exp(u(-40, 40)), T=nu * exp(u(-16, 1)), r=0, q=0, sigma=sigma,
                theta_vg=(1 - margin) / nu - sigma * sigma / 2, nu=nu)


def small(source):
    """Traded options at a discount or in a unit of currency that brings the price to the end of the doubles."""
    option, u = market(source), source.uniform
    if source.random() < 0.5:
        rate = u(640, 744) / option['T']
        return dict(option, r=rate, q=rate + u(-0.05, 0.05))
    unit = mpfr(2) ** int(u(-1070, -940))
    return dict(option, S=option['S'] * unit, K=option['K'] * unit)


DOMAIN = '13 families (`vectors/variance_gamma.py`): T/ν 1e-8…1e13, 1 − θν − σ²ν/2 1e-14…1e4; and options as they are traded, also at prices to 5e-324'
SWEEPS = [dict(path=PATH, points=100, draw=draw, judge=judge, text=DOMAIN + '; calls and puts')]


def by_field(given):
    return dict(zip(GREEKS, greeks(given)), option_type=given['option_type'])


def option(option_type='call', **others):
    usual = dict(S=100.0, K=105.0, T=1.0, r=0.05, sigma=0.2, theta_vg=-0.14, nu=0.2, q=0.01)
    return {**usual, 'option_type': option_type, **others}


VECTORS = dict(
    path=PATH, exact=by_field, rel_tol=1e-11,
    about='price and Greeks of European Variance Gamma options',
    source='contour integrals of the differentiated characteristic function, 40 digits; differences() checks them by difference quotients of an integral over the gamma time',
    cases=[
        ('call', 'market', option()), ('put', 'market', option('put')),
        ('call_in_the_money', 'market', option(K=80.0)), ('put_out_of_the_money', 'market', option('put', K=80.0)),
        ('right_skew', 'market', option(theta_vg=0.3, K=90.0)), ('short', 'market', option(T=0.02, K=100.0)),
        ('fat_tails', 'small_shape', option(nu=3.0)), ('far_out', 'tail', option(K=300.0)),
        ('sigma_zero', 'sigma_zero', option(sigma=0.0)), ('sigma_zero_put', 'sigma_zero', option('put', sigma=0.0, K=90.0)),
        ('small_sigma', 'kink', option(sigma=0.0001, K=90.0)), ('kink_at_large_shape', 'kink', option(nu=5e-5, sigma=0.001, theta_vg=-3.0, K=101.0)),
        ('large_shape', 'large_shape', option(nu=1e-5, theta_vg=-1.0)), ('larger_shape', 'large_shape', option(nu=1e-9, K=80.0)),
        ('surely_exercised', 'sure', option(S=112.3, K=31.632, T=2.05, r=-0.01166, sigma=0.04026, theta_vg=1.79356763223, nu=0.5519, q=0.0)),
        ('jumps_of_many_times_the_price', 'sure', option(sigma=1.0, theta_vg=-0.5, nu=1e4, r=0.0, q=0.0)),
        ('likely_and_rarely_exercised', 'large_times', dict(S=100.0, K=1.6451847765195916e-05, T=7.152476092124518e-05, r=0.0, sigma=0.6991052919111298,
                                                            theta_vg=-0.23184220358006227, nu=79.68044385626636, q=0.0, option_type='call')),
        ('next_to_nothing', 'large_times', dict(S=338.3198163274401, K=334.7449898029338, T=0.00010611410191978681, r=0.1098430885324678,
                                                sigma=0.0002727667016545821, theta_vg=0.001942780666293833, nu=514.0775673189411, q=0.0, option_type='put')),
        ('many_jumps_late', 'large_times', dict(S=176.2446504974441, K=170.15243373956773, T=9.332287281621719e-06, r=-0.039773556828004895,
                                                sigma=0.008510642159627836, theta_vg=0.279478232038091, nu=3.50086745751202, q=0.04126573614442036, option_type='put')),
        ('below_the_switch', 'large_shape', option(nu=0.00668)), ('above_the_switch', 'large_shape', option(nu=0.00665)),
    ],
)
