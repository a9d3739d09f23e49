"""Bins of equal weight in fractions: each quantile moves to the end of a value's rows that is found nearest among all ends."""
from itertools import accumulate, groupby

from gmpy2 import mpq


def grouped(rows):
    """The distinct values of rows (value, weight), rising, with the weight of each."""
    return [(value, sum((w for _, w in same), mpq(0))) for value, same in groupby(sorted(rows), key=lambda row: row[0])]


def divided(run, parts, count, tolerance):
    """The run in parts, as lists of values."""
    ends = [mpq(0), *accumulate(weight for _, weight in run)]
    half, cuts = ends[-1] / 2, []
    for k in range(1, parts):
        at = k * ends[-1] / parts
        order = lambda place: (abs(ends[place] - at), abs(ends[place] - half))
        nearest, second = sorted(range(len(ends)), key=order)[:2]
        if order(nearest) == order(second):
            low = min(nearest, second)
            before, value, after = (run[place][0] for place in (low - 1, low, low + 1))
            excess = mpq(value) - mpq(before / 2 + after / 2)
            if abs(excess) <= tolerance:
                return divided(run, 3 if count == 2 else parts - 1, count, tolerance)
            nearest = low if excess > 0 else low + 1
        cuts.append(nearest)
    return [[value for value, _ in run[start:end]] for start, end in zip([0, *cuts], [*cuts, len(run)])]


def equal_bins(rows, count, tolerance=0):
    """Pairs of the values of a bin and whether it is a bin of its own; rows are (value, weight)."""
    levels = grouped(rows)
    least = sum(weight for _, weight in levels) / count
    bins = []
    for is_own, members in groupby(levels, key=lambda level: level[1] >= least):
        members = list(members)
        if is_own:
            bins += [([value], True) for value, _ in members]
        else:
            parts = max(1, int(sum(weight for _, weight in members) // least))
            bins += [(values, False) for values in divided(members, parts, count, tolerance)]
    return bins
