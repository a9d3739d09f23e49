/** Upper tail of the chi-square distribution with a whole number of degrees of freedom. */
import { millsRatio, NORMAL_PEAK } from '../options/mills-ratio.ts'

/** Terms are multiplied by e^(−STRIDE) when they exceed LARGE, so that neither they nor e^(−x) leave the doubles. */
const LARGE = 1e150
const STRIDE = 300

/**
 * The probability that a chi-square variable exceeds a statistic: the regularised incomplete gamma Q(d/2, s/2) by its
 * finite series (Abramowitz & Stegun 1964, 26.4.4 and 26.4.5), whose terms are all positive.
 * @param statistic s, at least 0
 * @param degrees d, a whole number from 1 to some thousands
 */
export function chiSquareTail(statistic: number, degrees: number): number {
  const x = statistic / 2
  // The tail is below the smallest double long before.
  if (x > 100 * (degrees + 100)) return 0
  const isOdd = degrees % 2 === 1
  let left = x
  let term = isOdd ? 2 * NORMAL_PEAK * Math.sqrt(statistic) : 1
  let sum = isOdd ? 2 * NORMAL_PEAK * millsRatio(Math.sqrt(statistic)) : 1
  if (isOdd && degrees > 1) sum += term
  for (let divisor = isOdd ? 1.5 : 1; divisor < degrees / 2; divisor++) {
    term *= x / divisor
    sum += term
    if (sum < LARGE) continue
    const stride = Math.min(STRIDE, left)
    left -= stride
    term *= Math.exp(-stride)
    sum *= Math.exp(-stride)
  }
  // Alone, the power may be below the doubles.
  const half = Math.exp(-left / 2)
  return Math.min(1, sum * half * half)
}
