"""Black–Scholes prices by numpy, vectorised: options from standard input, one a line; prints nanoseconds a price and the versions."""

import sys
import time

import numpy as np
import scipy
from scipy.special import ndtr

repetitions = int(sys.stdin.readline())
spot, strike, rate, volatility, maturity, dividend_yield, is_call = np.loadtxt(sys.stdin, unpack=True)
# Long enough that a vector's own overhead does not count, short enough for the cache.
spot, strike, rate, volatility, maturity, dividend_yield, is_call = (
    np.tile(column, 8) for column in (spot, strike, rate, volatility, maturity, dividend_yield, is_call)
)
sign = np.where(is_call == 1, 1.0, -1.0)


def price():
    deviation = volatility * np.sqrt(maturity)
    d1 = (np.log(spot / strike) + (rate - dividend_yield) * maturity) / deviation + deviation / 2
    future = spot * np.exp(-dividend_yield * maturity) * ndtr(sign * d1)
    return sign * (future - strike * np.exp(-rate * maturity) * ndtr(sign * (d1 - deviation)))


price()
started = time.perf_counter()
for _ in range(repetitions):
    total = price().sum()
spent = time.perf_counter() - started
print(1e9 * spent / (repetitions * len(spot)), f"numpy {np.__version__}, scipy {scipy.__version__}", sep="|")
