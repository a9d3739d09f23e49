"""Files of reference vectors, from the inputs that a module of this folder lists and its exact function."""
import json

from gmpy2 import mpfr


def vector_file(name, vectors):
    """
    `vectors`: path, about, source, rel_tol, `exact(input)`, and cases as tuples of name, family and input. `exact` returns the
    value of the field `result`, or without it a value for each field, which may be a list or an object. `abs_tol`: 0 if absent.
    """
    head = {key: vectors[key] for key in ('path', 'result', 'about', 'source') if key in vectors}
    cases = ',\n'.join('    ' + json.dumps(case(vectors, *one)) for one in vectors['cases'])
    return dict(name=name, text=json.dumps(head, indent=2)[:-2] + ',\n  "cases": [\n' + cases + '\n  ]\n}\n')


def case(vectors, name, family, given):
    found = vectors['exact'](given)
    fields = found if isinstance(found, dict) else {vectors['result']: mpfr(found)}
    texts = {name: '{0:.39e}'.format(value) for name, value in fields.items() if not isinstance(value, (str, bool, dict, list))}
    return dict(name=name, family=family, input=given, expected=rounded(fields),
                exact=texts if found is fields else texts[vectors['result']],
                rel_tol=vectors['rel_tol'], abs_tol=vectors.get('abs_tol', 0))


def rounded(value):
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return value if isinstance(value, (str, bool)) else float(value)
