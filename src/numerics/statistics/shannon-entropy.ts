/** Shannon entropy of a discrete distribution. */
import { compensatedSum } from '../arithmetic/double-double.ts'
import { DomainError } from '../domain-error.ts'

/** Terms are summed as so many times themselves, so that those of the least probabilities do not underflow. */
const SCALE = 2 ** 100

/** Largest accepted distance of the sum from 1; the probabilities are not rescaled. */
const SUM_TOLERANCE = 1e-6

/**
 * H = −Σ pᵢ log_b pᵢ with 0·log 0 = 0 (Shannon 1948, §6), in nats for b = e, bits for b = 2, dits for b = 10.
 * A base below 1 has a negative logarithm and gives a negative entropy.
 * @param probabilities each at least 0, with the sum 1 within 1e-6
 * @param base greater than 0 and not 1
 */
export function shannonEntropy(probabilities: Float64Array, base: number): number {
  if (!(base > 0) || base === 1) throw new DomainError('base', 'must be greater than 0 and not equal to 1')
  checkDistribution(probabilities)
  // Powers of two have exact binary logarithms, so the entropy of a dyadic distribution in bits is exact.
  const log = base === 2 ? Math.log2 : Math.log
  const unit = base === 2 ? 1 : Math.log(base)
  const sum = compensatedSum(probabilities.length, (i) => {
    const p = probabilities[i]
    return p === 0 ? 0 : p * SCALE * log(p)
  })
  return sum === 0 ? 0 : -sum / unit / SCALE
}

function checkDistribution(probabilities: Float64Array): void {
  const negative = probabilities.findIndex((p) => !(p >= 0))
  if (negative >= 0) throw new DomainError(`probabilities.${negative}`, 'must be at least 0')
  const sum = compensatedSum(probabilities.length, (i) => probabilities[i])
  // One rounding of slack, so that a sum of 1.000001 is accepted.
  if (!(Math.abs(sum - 1) <= SUM_TOLERANCE + Number.EPSILON))
    throw new DomainError('probabilities', `must sum to 1 (within ${SUM_TOLERANCE}), but the sum is ${sum}`)
}
