"""Judges answers of the service against exact values: reads one JSON line a call, writes one JSON line a verdict.

In: {path, input, output} or {path, input, refused}. Out: {share, error} where share is the error over the stated tolerance
(above 1: wrong) and error the largest relative error; or {refused: true}, {skipped: reason}, or {wrong: reason}. Needs gmpy2.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'vectors'))

from forest import judge_forest
from options import judge_greeks, judge_price, judge_implied
from rationals import judge_discrimination, judge_migration, judge_outliers
from functions import judge_derivative, judge_entropy, judge_utility

JUDGES = {
    '/quantlib/pricing/bs/price': judge_price,
    '/quantlib/pricing/bs/greeks': judge_greeks,
    '/quantlib/pricing/bs/implied-volatility': judge_implied,
    '/quantlib/numerical/differentiation/derivative': judge_derivative,
    '/quantlib/ml/credit/discrimination': judge_discrimination,
    '/quantlib/ml/credit/migration': judge_migration,
    '/quantlib/ml/preprocessing/outliers': judge_outliers,
    '/quantlib/economics/utility/log': judge_utility,
    '/quantlib/physics/entropy/shannon': judge_entropy,
    '/quantlib/ml/clustering/isolation-forest': judge_forest,
}

def whole_or_double(text):
    """A large double is written without a point; its digits are not all exact."""
    return int(text) if abs(int(text)) <= 2 ** 53 else float(text)


for line in sys.stdin:
    call = json.loads(line, parse_int=whole_or_double)
    try:
        verdict = JUDGES[call['path']](call['input'], call.get('output'), call.get('refused'))
    except ArithmeticError as error:
        verdict = dict(wrong='oracle: %r' % error)
    print(json.dumps(verdict), flush=True)
