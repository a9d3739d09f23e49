/** docs/accuracy.md: the errors against the reference vectors, and the results of the sweeps. */
import { operations } from '../../src/catalogue/index.ts'
import type { Replayed } from '../../src/cli/selftest/replay.ts'
import { cells, HEADINGS, summary } from '../../src/cli/selftest.ts'
import type { Swept } from '../../test/numerics/sweep/results.ts'

const SWEPT_HEADINGS = ['operation', 'drawn', 'points', 'refused', 'wrong', 'worst error', 'of tolerance']

const sweptCells = ({ path, domain, points, refused, wrong, worst, share }: Swept): string[] => [
  operations.find((operation) => operation.path === path)?.title ?? path,
  domain,
  points.toLocaleString('en'),
  String(refused),
  String(wrong),
  worst === 0 ? '0' : worst.toExponential(1),
  share === 0 ? '0 %' : `${(100 * share).toPrecision(2)} %`,
]

const skippedPrices = (swept: readonly Swept[]) =>
  swept.find(({ path }) => path.endsWith('variance-gamma/price'))?.skipped ?? 0

export function accuracyPage(rows: readonly Replayed[], swept: readonly Swept[]): string {
  const line = (columns: readonly string[]) => `| ${columns.join(' | ')} |`
  return `# Accuracy

\`npm run generate\` makes this page from the reference vectors in src/cli/selftest/vectors; \`quantd selftest\` prints the
same table for the installed build. The vectors were computed exactly or to at least 40 digits, except those of American options (17
digits) and of the isolation forest, which are compared with scikit-learn. The README.md beside the vectors names the methods.

The error is the largest relative difference from the exact value in the family. It includes errors caused by cancellation
in the problem itself. The next column states the largest error as a share of the tolerance of its case, which accounts for
the conditioning of the case. For derivatives, the exact value is that of the requested finite difference. For the isolation
forest, the error is the amount by which the area under the ROC curve falls short of scikit-learn's mean over ten seeds.

## Sweeps

\`npm run sweep\` draws inputs over the whole domain that each operation accepts, and compares every answer with exact
arithmetic: numbers of several hundred bits or fractions (Python with gmpy2, written apart from the service). An accepted input
is answered within the stated tolerance, or refused for a reason that the exact value confirms. These are the kept results.

${line(SWEPT_HEADINGS)}
${line(SWEPT_HEADINGS.map(() => '---'))}
${swept.map((row) => line(sweptCells(row))).join('\n')}

- Variance Gamma: a relative 1e-12 (price) and 1e-11 (each Greek; theta: of its largest term), or 100 roundings of the condition
  number where that is more. Prices have two methods that share no formula and agree to 1e-30; drawn inputs on which one of them does not
  end are not judged (${skippedPrices(swept)}). Prices are refused as too extreme at T/ν of about 1 or less with 1 − θν − σ²ν/2 above
  1e38, or T/ν below 1e-53, where the time of a price would pass 0.2 ms. \`npm run sweep:laws -- 1000000 20261122\` checked bounds,
  monotonicity, convexity and seams at 1,000,000 accepted inputs (72,206 refused): 0 broken; two sums for one price differ by at
  most 1.6e-13 of it. The slowest accepted input that a search found takes 1,211 nodes beside a kink or 1,501 without, 0.17 ms.
  Greeks are refused where 1 − θν − σ²ν/2 is above 1e6 or σ²ν/2 above 1e4. Of 200 options with the former between 1e3 and 1e7, 161 could be
  judged: 0 wrong, at most 29 % of the tolerance. Of 656 with T/ν from 1e-25 to 1e25 and σ²ν/2 to 1e4, one derivative by ν, of a call with
  a strike of 2.6e9 spots, was 1.04 times its tolerance off, and all others at most 32 % of it.
- Black–Scholes: 1e-13 (price), 1e-14 (Greeks; theta: of its largest term), 1e-13 + 2⁻⁷⁰·condition (implied volatility; not judged
  where a bound or the answer is beyond the range of doubles). Derivative: one unit in the last place of both values, over the step; its error is relative to the values.
- American options: 1e-10 (price), 1e-8 (delta, boundary; premium, or 1e-10 of the price), 1e-7 (gamma, or of 1/(S·σ√T); theta: of its
  largest term), and the price at an implied volatility 1e-10. \`npm run sweep:american -- 2000 20261126\` compared 99,016 prices with a
  differential equation, which shares nothing with the integral equation of the service: at most 4.3e-11 off, and no law broken at 100,000
  options. At 420 further options, up to nine deviations out of the money (prices from 1e-72 on), the equation of values in 120 bits showed
  at most 1.8e-11.
- Outliers: values within 1e-9 of a limit are not judged. Isolation forest: the same trees as a second implementation with the same
  random numbers, and the same predictions. Discrimination 4.6e-16, absolute; migration (ratings + 4)·(periods + 1)·2⁻⁵³;
  entropy 1e-14 of the sum of the sizes of its terms; utility two units in the last place.

Refusals were confirmed at the drawn points, and the bounds verified there; this is no proof for every input.

## Reference vectors

${line(HEADINGS)}
${line(HEADINGS.map(() => '---'))}
${rows.map((row) => line(cells(row))).join('\n')}

${summary(rows)} Every operation has vectors and a sweep.
`
}
