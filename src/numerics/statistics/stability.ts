/** How far the distribution of a score has moved between two samples, by bins. */
import { compensatedSum } from '../arithmetic/compensated-sum.ts'
import { DomainError } from '../domain-error.ts'
import { type BinCounts, countsIn, type Sample } from './bin-counts.ts'
import { monotoneBounds } from './monotone-bounds.ts'
import { sortNumbers } from './sort.ts'

export interface Binning {
  /** All bounds, rising, which hold every score; none: quantiles of the expected sample. */
  readonly edges: Float64Array
  /** Bins by quantiles; fewer where equal scores make bounds coincide. */
  readonly count: number
  /** Pools neighbouring bins until the default rate of the expected sample only rises, or only falls. */
  readonly isMonotone: boolean
}

/** A number for each of the two samples. */
export interface Pair {
  readonly expected: number
  readonly actual: number
}

export interface StabilityBin {
  readonly lower: number
  readonly upper: number
  readonly expectedShare: number
  readonly actualShare: number
  readonly contribution: number
  /** ln(share of the non-defaulters / share of the defaulters); undefined without labels. */
  readonly weight: Pair | undefined
}

export interface Stability {
  readonly psi: number
  readonly bins: readonly StabilityBin[]
  /** Σ (share of the non-defaulters − share of the defaulters)·weight; undefined without labels. */
  readonly information: Pair | undefined
}

/** A share as a fraction of whole numbers. */
type Share = readonly [part: number, whole: number]

/** Takes the place of a share of 0. */
const EMPTY: Share = [1, 10_000]

/**
 * Population stability index Σ (actual − expected)·ln(actual/expected) over bins [lower, upper), the last of them closed
 * (Siddiqi 2006, ch. 8: Jeffreys' divergence of two samples), and weights of evidence (Good 1950) where both have labels.
 */
export function stability(
  expected: Sample,
  actual: Sample,
  { edges, count, isMonotone }: Binning,
): Stability {
  const hasLabels = expected.labels.length > 0 || actual.labels.length > 0
  if (hasLabels) {
    checkLabels(expected, 'expectedLabels', 'expected')
    checkLabels(actual, 'actualLabels', 'actual')
  } else if (isMonotone) throw new DomainError('monotone', 'needs {expectedLabels} and {actualLabels}')
  const given = edges.length > 0 ? rising(edges) : quantileBounds(expected.scores, actual.scores, count)
  const bounds = isMonotone ? monotoneBounds(given, countsIn(expected, given, 'expected')) : given
  const before = countsIn(expected, bounds, 'expected')
  const after = countsIn(actual, bounds, 'actual')
  const movement = (bin: number) => divergence([after.all[bin], after.rows], [before.all[bin], before.rows])
  const evidence = ({ all, bads, defaults, rows }: BinCounts, bin: number) =>
    divergence([all[bin] - bads[bin], rows - defaults], [bads[bin], defaults])
  const pair = (of: (counts: BinCounts) => number): Pair | undefined =>
    hasLabels ? { expected: of(before), actual: of(after) } : undefined
  const size = bounds.length - 1
  return {
    psi: compensatedSum(size, (bin) => movement(bin).product),
    information: pair((counts) => compensatedSum(size, (bin) => evidence(counts, bin).product)),
    bins: Array.from({ length: size }, (_, bin) => ({
      lower: bounds[bin],
      upper: bounds[bin + 1],
      expectedShare: before.all[bin] / before.rows,
      actualShare: after.all[bin] / after.rows,
      contribution: movement(bin).product,
      weight: pair((counts) => evidence(counts, bin).logarithm),
    })),
  }
}

/** ln(a/b), and (a − b)·ln(a/b), which is not negative; the differences are of integers below 2⁵³. */
function divergence(first: Share, second: Share): { logarithm: number; product: number } {
  const [part, whole] = first[0] === 0 ? EMPTY : first
  const [otherPart, otherWhole] = second[0] === 0 ? EMPTY : second
  const [a, b] = [part * otherWhole, otherPart * whole]
  // Near 1 the logarithm of the rounded ratio would lose digits.
  const logarithm = 2 * a > b && a < 2 * b ? Math.log1p((a - b) / b) : Math.log(a / b)
  return { logarithm, product: ((a - b) / (whole * otherWhole)) * logarithm }
}

function checkLabels({ scores, labels }: Sample, parameter: string, sample: string): void {
  if (labels.length !== scores.length)
    throw new DomainError(parameter, `has ${labels.length} values but {${sample}} has ${scores.length}`)
  if (!labels.includes(0) || !labels.includes(1))
    throw new DomainError(parameter, 'must contain both classes: at least one 0 and one 1')
}

function rising(edges: Float64Array): Float64Array {
  if (edges.length < 2) throw new DomainError('edges', 'must have at least two bounds')
  for (let i = 1; i < edges.length; i++)
    if (!(edges[i] > edges[i - 1]))
      throw new DomainError(`edges.${i}`, 'must be greater than the one before it')
  return edges
}

/**
 * Bin k begins with the expected score of rank ⌊k·rows/bins⌋, counted from 0, so that none is empty of them; the outer
 * bounds are the extremes of both samples.
 */
function quantileBounds(expected: Float64Array, actual: Float64Array, count: number): Float64Array {
  const sorted = sortNumbers(expected.map((score) => score + 0))
  let [least, greatest] = [sorted[0], sorted[sorted.length - 1]]
  for (const score of actual) {
    if (score < least) least = score
    if (score > greatest) greatest = score
  }
  const inner = Array.from(
    { length: count - 1 },
    (_, k) => sorted[Math.floor(((k + 1) * sorted.length) / count)],
  )
  const distinct = inner.filter((bound, k) => bound > (k === 0 ? sorted[0] : inner[k - 1]))
  return Float64Array.of(least, ...distinct, greatest)
}
