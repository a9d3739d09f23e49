"""Draws the inputs of sweeps and judges the answers of the service against exact values. Needs gmpy2.

Each module of this folder with `SWEEPS` has the path of an operation, a text about the domain, the points of a short sweep,
`draw(draw)`, which makes one input, and `judge(input, output, refused)`.

`oracle.py inputs SEED FACTOR TEXT` writes {path, text, inputs} for each sweep whose path contains the text. `oracle.py
vectors TEXT` writes the reference vectors of modules that make them, as {name, text}. `oracle.py judge` reads one JSON line
a call, {path, input, output} or {path, input, refused}, and writes one a verdict: {share, error} where share is the error
over the stated tolerance (above 1: wrong) and error the largest relative error; or {refused: true}, {skipped: reason}, or
{wrong: reason}.
"""
import json
import os
import sys
from glob import glob
from importlib import import_module

HERE = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(HERE, '..', 'vectors'))

from draw import Draw
from vectors import vector_file

MODULES = [import_module(name) for name in sorted(os.path.basename(path)[:-3] for path in glob(HERE + '/*.py')) if name != 'oracle']
SWEEPS = [sweep for module in MODULES for sweep in getattr(module, 'SWEEPS', [])]


def inputs(seed, factor, text):
    draw = Draw(int(seed))
    for sweep in SWEEPS:
        if text in sweep['path']:
            drawn = [sweep['draw'](draw) for _ in range(sweep['points'] * int(factor))]
            yield dict(path=sweep['path'], text=sweep['text'], inputs=drawn)


def vectors(text):
    for module in MODULES:
        made = getattr(module, 'VECTORS', [])
        for one in made if isinstance(made, list) else [made]:
            if text in one['path']:
                yield vector_file(one.get('name', module.__name__), one)


def judge():
    judges = {sweep['path']: sweep['judge'] for sweep in SWEEPS}
    for line in sys.stdin:
        call = json.loads(line, parse_int=whole_or_double)
        try:
            yield judges[call['path']](call['input'], call.get('output'), call.get('refused'))
        except ArithmeticError as error:
            yield dict(wrong='oracle: %r' % error)


def whole_or_double(text):
    """A large double is written without a point; its digits are not all exact."""
    return int(text) if abs(int(text)) <= 2 ** 53 else float(text)


for answer in dict(inputs=inputs, vectors=vectors, judge=judge)[sys.argv[1]](*sys.argv[2:]):
    print(json.dumps(answer), flush=True)
