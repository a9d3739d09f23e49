"""
Minima by scipy's least_squares from 30 random starts. The objective belongs to the other end of the pipe: a request is four
doubles (0 and the parameters' coordinates ln sigma, theta, ln nu), the answer the residuals and their derivatives, column by column, or
NaN outside the domain. The other end begins each problem with the number of residuals; the coordinates of the best minimum end it, after a 1.
"""
import sys

import numpy as np
from scipy.optimize import least_squares

STARTS = 30
REFUSED = 1e3


def read(count):
    data = sys.stdin.buffer.read(8 * count)
    return np.frombuffer(data) if len(data) == 8 * count else None


def write(kind, at):
    sys.stdout.buffer.write(np.array([kind, *at]).tobytes())
    sys.stdout.buffer.flush()


class Objective:
    def __init__(self, count):
        self.count, self.last = count, None

    def __call__(self, at):
        if self.last is None or not np.array_equal(self.last[0], at):
            write(0, at)
            answer = read(4 * self.count).reshape(4, self.count)
            refused = not np.all(np.isfinite(answer))
            residuals = np.full(self.count, REFUSED) if refused else answer[0].copy()
            rows = np.zeros((self.count, 3)) if refused else answer[1:].T.copy()
            self.last = at.copy(), residuals, rows
        return self.last[1]

    def rows(self, at):
        self(at)
        return self.last[2]


def best(count, random):
    objective, least = Objective(count), None
    for start in range(STARTS):
        while True:
            at = np.array([np.log(random.uniform(0.05, 0.8)), random.uniform(-0.8, 0.4), random.uniform(np.log(0.01), np.log(10))])
            if objective(at)[0] < REFUSED:
                break
        method = 'lm' if start % 6 else 'trf'
        found = least_squares(objective, at, jac=objective.rows, method=method, ftol=1e-14, xtol=1e-12, gtol=1e-15, max_nfev=200)
        if least is None or found.cost < least.cost:
            least = found
    return least.x


generator = np.random.default_rng(7)
while (header := read(1)) is not None:
    write(1, best(int(header[0]), generator))
