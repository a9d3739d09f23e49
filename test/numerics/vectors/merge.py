"""Makes a file of reference vectors from the lines that variance_gamma.py wrote: python3 merge.py OUTPUT LINES..."""
import json
import sys

found = [json.loads(line) for path in sys.argv[2:] for line in open(path)]
numbers, cases, seen = {}, [], set()
for one in found:
    key = json.dumps(one['input'])
    if not one['cond'] < 1e12 or key in seen or one['input']['T'] / one['input']['nu'] < 1e-100:
        continue
    seen.add(key)
    family = one['family']
    number = numbers[family] = numbers.get(family, -1) + 1
    cases.append(dict(name='%s_%03d' % (family, number), family=family, input=one['input'],
                      expected=dict(vg_call_price=float(one['exact'])), exact=one['exact'],
                      rel_tol=max(1e-12, 100 * 2.0 ** -53 * one['cond']), abs_tol=0, cond=float('%.3g' % one['cond']),
                      agree=float('%.2g' % one['agree'])))
with open(sys.argv[1], 'w') as output:
    output.write('{"path":"/quantlib/models/variance-gamma/price","result":"vg_call_price",\n'
                 '"about":"Variance Gamma calls over the whole accepted domain, inputs taken as exact float64 values",\n'
                 '"source":"MPFR, at least 230 bits: adaptive Gauss-Legendre over the gamma time against the contour integral '
                 'of the moment generating function; every case agrees to 1e-30 relative (test/numerics/vectors)",\n"cases":[\n')
    output.write(',\n'.join(json.dumps(case, separators=(',', ':')) for case in cases))
    output.write('\n]}\n')
print(len(cases), numbers)
