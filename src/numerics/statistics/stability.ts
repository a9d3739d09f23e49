/** The shift of the distribution of a score between two samples, by bins. */
import { compensatedSum } from '../arithmetic/double-double.ts'
import { DomainError } from '../domain-error.ts'
import { type BinCounts, type Bounds, countsIn, monotoneBounds, quantileBounds, type Sample } from './bins.ts'
import { range } from './order-statistics.ts'
import { checkWeights, quotient } from './weight-sums.ts'

export interface Binning {
  /** All bounds, rising, which hold every score; none: quantiles of the expected sample. */
  readonly edges: Float64Array
  /** Bins by quantiles, if equal scores allow as many (`equalBins`). */
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
type Share = readonly [part: bigint, whole: bigint]

/**
 * The least share that counts; it takes the place of a smaller one. If it took the place of 0 only, a first row in a bin
 * would raise the index.
 */
const LEAST: Share = [1n, 10_000n]

/**
 * Population stability index Σ (actual − expected)·ln(actual/expected) over bins [lower, upper), the last of them closed
 * (Siddiqi 2006, ch. 8: Jeffreys' divergence of two samples), and weights of evidence (Good 1950) where both have labels.
 */
export function stability(
  expected: Sample,
  actual: Sample,
  { edges, count, isMonotone }: Binning,
): Stability {
  checkWeights(expected.weights, expected.scores.length, 'expectedWeights', 'expected')
  checkWeights(actual.weights, actual.scores.length, 'actualWeights', 'actual')
  const hasLabels = expected.labels.length > 0 || actual.labels.length > 0
  if (hasLabels) {
    checkLabels(expected, 'expectedLabels', 'expected')
    checkLabels(actual, 'actualLabels', 'actual')
  } else if (isMonotone) throw new DomainError('monotone', 'needs {expectedLabels} and {actualLabels}')
  const given =
    edges.length > 0
      ? givenBounds(edges, expected.scores, actual.scores)
      : quantileBounds(expected, actual.scores, count)
  const bounds = isMonotone ? monotoneBounds(given, countsIn(expected, given)) : given
  const before = countsIn(expected, bounds)
  const after = countsIn(actual, bounds)
  const bins = Array.from({ length: bounds.values.length - 1 }, (_, bin) => ({
    movement: divergence(shareOf(after, bin), shareOf(before, bin)),
    expected: evidence(before, bin),
    actual: evidence(after, bin),
  }))
  const sum = (of: (bin: (typeof bins)[number]) => number) => compensatedSum(bins.length, (i) => of(bins[i]))
  const information = {
    expected: sum((bin) => bin.expected.product),
    actual: sum((bin) => bin.actual.product),
  }
  return {
    psi: sum(({ movement }) => movement.product),
    information: hasLabels ? information : undefined,
    bins: bins.map(({ movement, expected, actual }, bin) => ({
      lower: bounds.values[bin],
      upper: bounds.values[bin + 1],
      expectedShare: quotient(...shareOf(before, bin)),
      actualShare: quotient(...shareOf(after, bin)),
      contribution: movement.product,
      weight: hasLabels ? { expected: expected.logarithm, actual: actual.logarithm } : undefined,
    })),
  }
}

const shareOf = ({ goods, bads, allGoods, allBads }: BinCounts, bin: number): Share => [
  goods[bin] + bads[bin],
  allGoods + allBads,
]

const evidence = ({ goods, bads, allGoods, allBads }: BinCounts, bin: number) =>
  divergence([goods[bin], allGoods], [bads[bin], allBads])

/** ln(a/b), and (a − b)·ln(a/b), which is not negative. */
function divergence(first: Share, second: Share): { logarithm: number; product: number } {
  const [part, whole] = atLeast(first)
  const [otherPart, otherWhole] = atLeast(second)
  const [a, b] = [part * otherWhole, otherPart * whole]
  // Near 1 the logarithm of the rounded ratio would lose digits.
  const isNear = 2n * a > b && a < 2n * b
  const logarithm = isNear ? Math.log1p(quotient(a - b, b)) : Math.log(quotient(a, b))
  return { logarithm, product: quotient(a - b, whole * otherWhole) * logarithm }
}

const atLeast = (share: Share) => (share[0] * LEAST[1] < share[1] * LEAST[0] ? LEAST : share)

function checkLabels({ scores, labels }: Sample, parameter: string, sample: string): void {
  if (labels.length !== scores.length)
    throw new DomainError(parameter, `has ${labels.length} values but {${sample}} has ${scores.length}`)
  if (!labels.includes(0) || !labels.includes(1))
    throw new DomainError(parameter, 'must contain both classes: at least one 0 and one 1')
}

function givenBounds(edges: Float64Array, expected: Float64Array, actual: Float64Array): Bounds {
  if (edges.length < 2) throw new DomainError('edges', 'must have at least two bounds')
  for (let i = 1; i < edges.length; i++)
    if (!(edges[i] > edges[i - 1]))
      throw new DomainError(`edges.${i}`, 'must be greater than the one before it')
  const ranges = [range(expected), range(actual)]
  const least = Math.min(...ranges.map(({ min }) => min))
  const greatest = Math.max(...ranges.map(({ max }) => max))
  const isOutside = (score: number) => score < edges[0] || score > edges[edges.length - 1]
  for (const [parameter, scores] of [
    ['expected', expected],
    ['actual', actual],
  ] as const) {
    const row = scores.findIndex(isOutside)
    if (row >= 0)
      throw new DomainError(
        `${parameter}.${row}`,
        `must be within {edges}, which must hold ${least} to ${greatest}`,
      )
  }
  return { values: edges, shared: new Set() }
}
