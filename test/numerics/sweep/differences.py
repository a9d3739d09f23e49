"""Higher Greeks as difference quotients of a price in so many bits that the quotients are exact to 40 digits: without any formula of theirs."""
from gmpy2 import mpfr

from exact import bits_of

HIGHER = ('vanna', 'volga', 'charm', 'speed', 'zomma', 'color')


def precision_for(s):
    """Steps are 2^-160 deviations; third derivatives lose three of them, and the square of one more in the remainder."""
    return 1400 + 4 * bits_of(s)


def higher_greeks(price, unit, v, T):
    """
    `price(moved, v, T)`: of the option out of the money whose spot or forward is moved by so much; `unit`: a deviation of it. The
    caller adds the delta of the discounted forward to charm.
    """
    h = mpfr(2) ** -160
    step, dv, dT = unit * h, v * h, T * h

    def across(k, v, T):
        return price(k * step, v, T)

    def first(v, T):
        return (across(1, v, T) - across(-1, v, T)) / (2 * step)

    def second(v, T):
        return (across(1, v, T) - 2 * across(0, v, T) + across(-1, v, T)) / step ** 2

    def by(function, name):
        if name == 'v':
            return (function(v + dv, T) - function(v - dv, T)) / (2 * dv)
        return (function(v, T + dT) - function(v, T - dT)) / (2 * dT)

    third = across(2, v, T) - 2 * across(1, v, T) + 2 * across(-1, v, T) - across(-2, v, T)
    return dict(vanna=by(first, 'v'), volga=(across(0, v + dv, T) - 2 * across(0, v, T) + across(0, v - dv, T)) / dv ** 2,
                charm=-by(first, 'T'), speed=third / (2 * step ** 3), zomma=by(second, 'v'), color=-by(second, 'T'))

