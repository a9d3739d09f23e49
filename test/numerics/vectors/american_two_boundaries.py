"""American options with two exercise boundaries, before and after they meet, by finite differences of the obstacle problem.

Nothing of the boundary's integral equations is used: the put solves max(Black-Scholes operator, payoff - put) = 0 on a grid of the log
spot, by Crank and Nicolson's steps (four implicit ones first, Rannacher 1984) at times that crowd towards expiry, each by policy
iteration. Two grids give Richardson's extrapolation, to about 2e-9. Needs numpy and scipy.

python3 american_two_boundaries.py > ../tables/american-two-boundaries.csv
"""
import numpy as np
from scipy.linalg import solve_banded

REACH = 9
COARSE = (4000, 2000)
"""Spot, strike, rate, yield, volatility, maturity, type: in pairs of before and after the meeting where their rates are equal."""
OPTIONS = [
    (100, 105, -.03, -.04, .3, .1, 'put'), (100, 105, -.03, -.04, .3, 2, 'put'), (70, 105, -.03, -.04, .3, 1, 'put'),
    (100, 105, -.01, -.03, .1, 2, 'put'), (100, 105, -.01, -.03, .1, 20, 'put'), (30, 105, -.01, -.03, .1, 2, 'put'),
    (95, 105, -.02, -.05, .2, 2, 'put'), (95, 105, -.02, -.05, .2, 5, 'put'), (95, 105, -.02, -.05, .2, 12, 'put'),
    (100, 100, -.02, -.04, .2, 10, 'put'), (80, 100, -.01, -.02, .15, 8, 'put'), (120, 100, -.01, -.02, .15, 8, 'put'),
    (100, 105, -.04, -.03, .3, .1, 'call'), (100, 105, -.04, -.03, .3, 2, 'call'), (100, 95, -.05, -.02, .2, 5, 'call'),
    (150, 100, -.05, -.02, .2, 12, 'call'),
    (110, 100, -.002, -.07, .3, 25, 'put'), (60, 100, -.05, -.0005, .4, 20, 'call'),
]


def on_grid(spot, strike, rate, dividend_yield, volatility, maturity, kind, half, steps):
    if kind == 'call':
        spot, strike, rate, dividend_yield = strike, spot, dividend_yield, rate
    drift = rate - dividend_yield - volatility ** 2 / 2
    dx = (REACH * volatility * np.sqrt(maturity) + abs(drift) * maturity + .2) / half
    x = np.arange(-half, half + 1) * dx
    payoff = np.maximum(-np.expm1(x), 0)
    value, exercised = payoff.copy(), payoff > 0
    # The mean over the hat function of the node at the strike, whose payoff has a kink.
    value[half] = dx / 6
    second, first = volatility ** 2 / 2 / dx ** 2, drift / 2 / dx
    operator = second - first, -2 * second - rate, second + first
    times = maturity * (np.arange(steps + 1) / steps) ** 2
    for step in range(steps):
        length, time = times[step + 1] - times[step], times[step + 1]
        for _ in range(4 if step == 0 else 1):
            implicit, part = (1, length / 4) if step == 0 else (.5, length)
            least = max(payoff[0], np.exp(-rate * time) - np.exp(x[0] - dividend_yield * time))
            value, exercised = stepped(value, exercised, payoff, operator, implicit * part, part - implicit * part, least)
    return strike * interpolated(x, value, np.log(spot / strike))


def stepped(value, exercised, payoff, operator, implicit, explicit, least):
    lower, middle, upper = operator
    right = value.copy()
    right[1:-1] += explicit * (lower * value[:-2] + middle * value[1:-1] + upper * value[2:])
    right[0], right[-1] = least, 0
    for _ in range(50):
        bands = np.zeros((3, len(value)))
        bands[0, 2:], bands[1, 1:-1], bands[2, :-2] = -implicit * upper, 1 - implicit * middle, -implicit * lower
        bands[1, [0, -1]] = 1
        fixed = np.where(exercised[1:-1])[0] + 1
        bands[1, fixed], bands[0, fixed + 1], bands[2, fixed - 1] = 1, 0, 0
        wanted = right.copy()
        wanted[fixed] = payoff[fixed]
        found = solve_banded((1, 1), bands, wanted)
        excess = np.zeros(len(value))
        excess[1:-1] = found[1:-1] - implicit * (lower * found[:-2] + middle * found[1:-1] + upper * found[2:]) - right[1:-1]
        new = np.where(exercised, excess >= 0, found < payoff) & (payoff > 0)
        if (new == exercised).all():
            return found, exercised
        exercised = new
    raise ArithmeticError('the exercised nodes do not settle')


def interpolated(x, value, place):
    first = int((place - x[0]) / (x[1] - x[0])) - 3
    nodes = range(first, first + 8)
    total = 0
    for i in nodes:
        total += value[i] * np.prod([(place - x[j]) / (x[i] - x[j]) for j in nodes if j != i])
    return total


def main():
    print('spot,strike,rate,dividendYield,volatility,maturity,type,price')
    for option in OPTIONS:
        coarse = on_grid(*option, *COARSE)
        fine = on_grid(*option, *(2 * size for size in COARSE))
        print(','.join(map(str, option)) + ',%.12g' % (fine + (fine - coarse) / 3), flush=True)


if __name__ == '__main__':
    main()
