"""Files of reference vectors, from the inputs that a module of this folder lists and its exact function."""
import json

from gmpy2 import mpfr


def vector_file(name, vectors):
    """`vectors`: path, result, about, source, rel_tol, `exact(input)`, and cases as tuples of name, family and input."""
    head = {key: vectors[key] for key in ('path', 'result', 'about', 'source')}
    cases = ',\n'.join('    ' + json.dumps(case(vectors, *one)) for one in vectors['cases'])
    return dict(name=name, text=json.dumps(head, indent=2)[:-2] + ',\n  "cases": [\n' + cases + '\n  ]\n}\n')


def case(vectors, name, family, given):
    exact = mpfr(vectors['exact'](given))
    return dict(name=name, family=family, input=given, expected={vectors['result']: float(exact)},
                exact='{0:.39e}'.format(exact), rel_tol=vectors['rel_tol'], abs_tol=0)
