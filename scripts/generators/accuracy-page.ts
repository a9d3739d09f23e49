/** docs/accuracy.md: the errors against the reference vectors, and the results of the sweeps. */
import { cells, HEADINGS, type Replayed, summary } from '../../src/app/cli/selftest.ts'
import { operations } from '../../src/compute/catalogue/index.ts'
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

This page shows the largest errors that sweeps and reference vectors found. [How accurate, and how we know](explanation/accuracy.md) states
the tolerances. \`npm run generate\` makes the page.

The error is the largest relative difference from the exact value. Where one rounding of an input changes the answer by many roundings, the
error includes this loss of digits. The tolerance of a case accounts for it. The column *of tolerance* states the largest error as a
share of the tolerance. For derivatives, the exact value is that of the requested finite difference.

## Sweeps

\`npm run sweep\` draws inputs from the whole domain that each operation accepts. It compares every answer with fractions or numbers of
several hundred bits, which Python programs with gmpy2 compute apart from the service. An accepted input must be answered within its
tolerance. A refusal must have a reason that the exact value confirms. This table shows the kept results:

${line(SWEPT_HEADINGS)}
${line(SWEPT_HEADINGS.map(() => '---'))}
${swept.map((row) => line(sweptCells(row))).join('\n')}

- **Variance Gamma price**: ${skippedPrices(swept)} drawn inputs are not judged, because one of the two reference methods did not end. A price that would take
  more than 0.2 ms is refused as too extreme. This happens where T/ν is about 1 or less and 1 − θν − σ²ν/2 is above 1e38, and where T/ν is
  below 1e-53.
- **Laws of Variance Gamma prices**: \`npm run sweep:laws -- 1000000 20261122\` checked bounds, monotonicity and convexity at 1,000,000 accepted
  inputs (72,206 were refused), and no law was broken. Where the service has two sums for a price, they differ by at most 1.6e-13 of it. The
  slowest accepted input that a search found takes 0.17 ms.
- **Variance Gamma Greeks**: they are refused where 1 − θν − σ²ν/2 is above 1e6 or σ²ν/2 is above 1e4. Of 200 options where the first term is
  between 1e3 and 1e7, 161 could be judged; their errors were at most 29 % of the tolerance. A further 656 options had T/ν from 1e-25 to 1e25 and
  σ²ν/2 up to 1e4. One derivative by ν, of a call with a strike of 2.6e9 spots, was off by 1.04 times its tolerance. All others were within
  32 % of it.
- **Black–Scholes implied volatility**: it is not judged where a bound or the answer is beyond the range of doubles.
- **Numerical derivative**: its error is relative to the function values.
- **American options**: \`npm run sweep:american -- 2000 20261126\` compared 99,016 prices with the solution of a differential equation. The
  service solves an integral equation instead. The largest difference was 4.3e-11, and no law was broken at 100,000 options. At
  420 further options up to nine deviations out of the money, with prices from 1e-72 on, another equation for the boundary was solved in 120
  bits. The prices differ by at most 1.8e-11.
- **Outliers**: values within 1e-9 of a limit are not judged.
- **Isolation forest**: trees and predictions are those of a second implementation with the same random numbers.

The sweeps confirm refusals and tolerances at the drawn inputs. They are no proof for every input.

## Reference vectors

\`quantd selftest\` prints this table for the installed build. The vectors were computed exactly or to at least 40 digits, except those of
American options (11 to 17 digits). The isolation forest is compared with scikit-learn: its error is the amount by which the area under the
ROC curve falls short of scikit-learn's mean over ten seeds. [The README beside the vectors](../src/app/cli/selftest/vectors/README.md) names the
methods.

${line(HEADINGS)}
${line(HEADINGS.map(() => '---'))}
${rows.map((row) => line(cells(row))).join('\n')}

${summary(rows)} Every operation has vectors and a sweep.
`
}
