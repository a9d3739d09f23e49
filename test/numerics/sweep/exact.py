"""What the judges share: exact numbers from doubles, and errors as shares of a tolerance."""
import sys

import gmpy2
from gmpy2 import mpfr

context = gmpy2.get_context()
context.emin, context.emax = gmpy2.get_emin_min(), gmpy2.get_emax_max()
LARGEST = mpfr(sys.float_info.max)
"""Results below it have fewer digits than a double; they may be wrong by some units of the smallest double."""
LEAST_NORMAL = mpfr(2) ** -1022
SMALLEST = mpfr(2) ** -1074
ULP = mpfr(2) ** -52


def bits_of(value):
    """The distance of the exponent from 0."""
    return 0 if value == 0 or not gmpy2.is_finite(value) else abs(gmpy2.frexp(mpfr(value))[0])


def verdict(pairs):
    """Of (got, exact, allowed): allowed is the absolute tolerance, to which the rounding of denormal results is added."""
    share, error = 0.0, 0.0
    for got, exact, allowed in pairs:
        # Up to half a unit beyond, it rounds to the largest double.
        if abs(exact) > LARGEST * (1 + mpfr(2) ** -54):
            return dict(wrong='the exact result %s is beyond the range of doubles' % short(exact))
        off = abs(mpfr(got) - exact)
        share = max(share, min(float(off / (allowed + 4 * SMALLEST)), 1e300))
        if abs(exact) >= LEAST_NORMAL:
            error = max(error, float(off / abs(exact)))
    return dict(share=share, error=error)


def short(value):
    return '{0:.6g}'.format(value)
