"""Draws Variance Gamma calls over the whole accepted domain and writes those on which both methods agree.

python3 variance_gamma.py SEED COUNT OUTPUT: COUNT cases a family, appended to OUTPUT as they are found, one JSON object a
line. merge.py makes the file of reference vectors from them. Needs gmpy2.
"""
import json
import math
import random
import signal
import sys

from gmpy2 import mpfr

from variance_gamma_methods import context, contour, mixture

SECONDS = 30
AGREE = mpfr(10) ** -30


class Slow(Exception):
    pass


def alarm(*_):
    raise Slow()


def log_uniform(random, low, high):
    return math.exp(random.uniform(math.log(low), math.log(high)))


def theta_of(margin, sigma, nu):
    return (1 - margin) / nu - sigma * sigma / 2


def strike_at(case, x):
    """The strike that puts ln(forward/strike) at x."""
    exponent = (case['r'] - case['q']) * case['T'] - x
    if abs(math.log(case['S']) + exponent) > 690:
        raise OverflowError
    return case['S'] * math.exp(exponent)


def market_rates(random):
    return dict(r=random.uniform(-0.1, 0.2), q=random.choice([0, random.uniform(0, 0.1)]))


def log_uniform_case(random):
    u = lambda low, high: log_uniform(random, low, high)
    sigma, nu = u(1e-3, 3), u(1e-4, 1e2)
    theta = -u(1e-3, 1e2) if random.random() < 0.5 else theta_of(u(1e-6, 1), sigma, nu)
    return dict(S=u(1e-3, 1e4), K=u(1e-3, 1e4), T=u(1e-4, 1e2), sigma=sigma, theta_vg=theta, nu=nu, **market_rates(random))


def distant_bulk(random):
    u = lambda low, high: log_uniform(random, low, high)
    margin = u(1e-3, 0.9) if random.random() < 0.6 else u(1.1, 1e3)
    d = u(30, 1e4)
    shape = d / abs(margin - 1 - math.log(margin))
    T = u(0.1, 60)
    nu = T / shape
    # A margin above 1 needs a negative drift, below 1 a positive one.
    sigma = u(1e-5, 1) * math.sqrt(min(1, abs(1 - margin) / nu))
    case = dict(S=u(1e-2, 1e4), T=T, sigma=sigma, theta_vg=theta_of(margin, sigma, nu), nu=nu, **market_rates(random))
    case['K'] = strike_at(case, random.uniform(-1.5, 1.5) * min(d, 400))
    return case


def small_sigma(random):
    u = lambda low, high: log_uniform(random, low, high)
    case = log_uniform_case(random)
    case['sigma'] = u(1e-9, 1e-3)
    if case['theta_vg'] > 0:
        case['theta_vg'] = theta_of(u(1e-4, 1), case['sigma'], case['nu'])
    case['K'] = strike_at(case, random.gauss(0, 1) * (abs(case['theta_vg']) * (case['nu'] * case['T']) ** 0.5))
    return case


def singular_strike(random):
    u = lambda low, high: log_uniform(random, low, high)
    shape, T = u(1e-2, 30), u(1e-2, 30)
    nu = T / shape
    margin = u(1e-3, 0.95) if random.random() < 0.5 else u(1.05, 1e2)
    sigma = u(1e-8, 1e-2) * math.sqrt(min(1, abs(1 - margin) / nu))
    case = dict(S=u(1, 1e3), T=T, sigma=sigma, theta_vg=theta_of(margin, sigma, nu), nu=nu, **market_rates(random))
    case['K'] = strike_at(case, -shape * math.log(margin) + random.choice([-1, 1]) * u(1e-8, 0.3))
    return case


def tiny_price(random):
    case = log_uniform_case(random)
    width = math.sqrt((case['sigma'] ** 2 + case['theta_vg'] ** 2 * case['nu']) * case['T'])
    case['K'] = strike_at(case, -width * random.uniform(8, 45))
    return case


def large_shape(random):
    u = lambda low, high: log_uniform(random, low, high)
    T = u(1e-3, 30)
    nu = T / u(1e4, 1e13)
    sigma, theta = u(1e-4, 1), random.choice([-1, 1]) * u(1e-3, 1e3)
    if 1 - theta * nu - sigma * sigma * nu / 2 < 0.01:
        theta = -theta
    case = dict(S=u(1, 1e3), T=T, sigma=sigma, theta_vg=theta, nu=nu, **market_rates(random))
    case['K'] = strike_at(case, random.gauss(0, 2) * math.sqrt((sigma ** 2 + theta ** 2 * nu) * T))
    return case


def small_shape(random):
    u = lambda low, high: log_uniform(random, low, high)
    T = u(1e-6, 1)
    nu = T / u(1e-8, 1e-2)
    margin = u(1e-3, 1) if random.random() < 0.5 else u(1, 1e4)
    sigma = u(1e-3, 1) * min(1, (2 / nu) ** 0.5)
    case = dict(S=u(1, 1e3), T=T, sigma=sigma, theta_vg=theta_of(margin, sigma, nu), nu=nu, **market_rates(random))
    case['K'] = strike_at(case, random.choice([-1, 1]) * u(1e-6, 3))
    return case


def steep_rates(random):
    case = log_uniform_case(random)
    case['T'] = log_uniform(random, 1e-3, 1)
    case['r'] = random.uniform(-650, 650) / case['T']
    case['q'] = case['r'] + random.gauss(0, 2)
    case['K'] = strike_at(case, random.gauss(0, 1))
    return case


def boundary(random):
    u = lambda low, high: log_uniform(random, low, high)
    sigma, nu = u(1e-2, 1), u(1e-3, 1)
    case = dict(S=u(1, 1e3), T=u(1e-3, 10), sigma=sigma, theta_vg=theta_of(u(1e-14, 1e-4), sigma, nu), nu=nu, **market_rates(random))
    case['K'] = strike_at(case, random.gauss(0, 3))
    return case


def whole(random):
    """Each number over its own decades, far beyond any market."""
    u = lambda low, high: log_uniform(random, low, high)
    sigma, nu = u(1e-8, 10), u(1e-7, 1e4)
    theta = -u(1e-6, 1e5) if random.random() < 0.5 else theta_of(random.choice([u(1e-6, 1), u(1, 1e3)]), sigma, nu)
    case = dict(S=u(1e-6, 1e6), T=u(1e-7, 1e3), sigma=sigma, theta_vg=theta, nu=nu)
    steepness = 1 / max(1, case['T'])
    case.update(r=random.uniform(-1, 1) * steepness, q=random.choice([0, random.uniform(-1, 1) * steepness]))
    if random.random() < 0.5:
        case['K'] = u(1e-6, 1e6)
    else:
        case['K'] = strike_at(case, random.gauss(0, 2) * math.sqrt((sigma ** 2 + theta ** 2 * nu) * case['T']))
    return case


def sigma_zero(random):
    u = lambda low, high: log_uniform(random, low, high)
    shape, T = u(1e-3, 1e6), u(1e-3, 30)
    nu = T / shape
    margin = u(1e-3, 1 - 1e-6) if random.random() < 0.5 else u(1 + 1e-6, 1e3)
    case = dict(S=u(1, 1e3), T=T, sigma=0.0, theta_vg=(1 - margin) / nu, nu=nu, **market_rates(random))
    case['K'] = strike_at(case, random.gauss(0, 1) * math.sqrt(shape) * abs(1 - margin))
    return case


def issue(random):
    """Around the inputs that a service of another day priced wrong, each number moved by up to half."""
    S, K, T, r, sigma, theta, nu, q = random.choice(ISSUE)
    move = lambda value: value * math.exp(random.uniform(-0.4, 0.4))
    case = dict(S=move(S), K=move(K), T=move(T), r=move(r), sigma=move(sigma), nu=move(nu), q=move(q))
    margin = 1 - theta * nu - sigma * sigma * nu / 2
    case['theta_vg'] = theta_of(move(margin), case['sigma'], case['nu'])
    return case


ISSUE = [
    [9440.4, 6346.1, 27.59, 0.1644, 0.1985, 1.72842518939, 0.572, 0.01347],
    [9.7372, 1.9474, 14.66, -0.007502, 0.2509, 1.95151715019, 0.5042, 0],
    [0.0245802, 2.4937e-6, 13.1994, 0, 0.00470807, 7208.90065, 0.000138717, 0],
    [0.317211, 691.016, 8.64242, 0, 1.24267e-5, 81.7608936, 0.0122307, 0.0476522],
    [18.63, 2.3402e23, 38.55, 0, 0.072, 33.424605182, 0.02989, 0],
    [12.228, 879.32, 56.83, -0.08342, 1.295, 0.6882049373369813, 0.655, 0],
]


FAMILIES = dict(log_uniform=log_uniform_case, distant_bulk=distant_bulk, small_sigma=small_sigma,
                singular_strike=singular_strike, tiny_price=tiny_price, large_shape=large_shape,
                small_shape=small_shape, steep_rates=steep_rates, boundary=boundary, whole=whole,
                sigma_zero=sigma_zero, issue=issue)
ORDER = ['S', 'K', 'T', 'r', 'sigma', 'theta_vg', 'nu', 'q']


def arguments(case):
    return [case[name] for name in ORDER]


def is_accepted(case):
    return (case['S'] > 0 and case['K'] > 0 and case['sigma'] >= 0 and case['nu'] > 0
            and 1 - (case['nu'] * case['theta_vg'] + case['nu'] * (0.5 * case['sigma'] * case['sigma'])) > 0)


def condition(case, price):
    """Sum of |x dP/dx|/P over the inputs: the relative change of the price by one rounding of each."""
    margin = 1 - (case['nu'] * case['theta_vg'] + case['nu'] * (0.5 * case['sigma'] * case['sigma']))
    total = mpfr(0)
    bump = mpfr(10) ** -14 * min(1, margin)
    for name in ORDER:
        if case[name] == 0:
            continue
        context.precision = 2200
        moved = {key: mpfr(value) for key, value in case.items()}
        moved[name] *= 1 + bump
        total += abs(contour(*arguments(moved)) / price - 1) / bump
    return total


def agreed(case):
    """The price on which both methods agree, or a text that tells why there is none."""
    signal.signal(signal.SIGVTALRM, alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        by_contour = contour(*arguments(case))
        by_mixture = mixture(*arguments(case))
        agree = abs(by_mixture / by_contour - 1)
        if agree < AGREE:
            return by_contour, float(agree)
        return 'disagree {:.3g}: {:.40g} by contour, {:.40g} by mixture'.format(agree, by_contour, by_mixture)
    except (Slow, ArithmeticError, ValueError, TypeError) as error:
        return '%s: %s' % (type(error).__name__, error)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def main(seed, count, output):
    draw = random.Random(seed)
    for number in range(count):
        for family, make in FAMILIES.items():
            try:
                case = {name: float(value) for name, value in make(draw).items()}
            except (OverflowError, ZeroDivisionError):
                continue
            if not is_accepted(case):
                continue
            found = agreed(case)
            if isinstance(found, str) or not mpfr(10) ** -300 < found[0] < mpfr(10) ** 300:
                continue
            price, agree = found
            line = dict(family=family, input={name: case[name] for name in ORDER}, exact='{0:.40g}'.format(price),
                        agree=agree, cond=float(condition(case, price)))
            with open(output, 'a') as file:
                print(json.dumps(line), file=file)


if __name__ == '__main__':
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
