/** Sums of the weights of rows without rounding, so that a row on the bound of two bins is on the right side of it. */
import { DomainError } from '../domain-error.ts'

/** A weight from 1e-9 is a whole number of units of 2⁻⁹⁶: its parts are the number before the point and digits of 32 bits. */
const DIGIT = 2 ** 32
const DIGIT_BITS = 32n

export class WeightSums {
  readonly #size: number
  /** The integer parts of all sums; then their further digits, as far as a weight has them. */
  readonly #parts: Float64Array[] = []

  constructor(size: number) {
    this.#size = size
  }

  /** @param weight from 1e-9 to 1e9; at most 2²⁰ of them, so that each part stays below 2⁵³ */
  add(place: number, weight: number): void {
    let rest = weight
    for (let digit = 0; rest !== 0; digit++) {
      const whole = Math.floor(rest)
      this.#partAt(digit)[place] += whole
      rest = (rest - whole) * DIGIT
    }
  }

  /** Replaces the sums with cumulative sums. */
  accumulate(): void {
    for (const part of this.#parts) for (let i = 1; i < part.length; i++) part[i] += part[i - 1]
  }

  /** The sum without rounding, in a unit that all sums share. */
  exact(place: number): bigint {
    return this.#parts.reduce((sum, part) => (sum << DIGIT_BITS) + BigInt(part[place]), 0n)
  }

  /** The sum less a whole number. */
  rounded(place: number, less = 0): number {
    return this.#parts.reduceRight((sum, part, digit) => sum / DIGIT + (part[place] - (digit ? 0 : less)), 0)
  }

  allRounded(): Float64Array {
    return Float64Array.from({ length: this.#size }, (_, place) => this.rounded(place))
  }

  /**
   * Of accumulated sums the first place at which they exceed the share part/whole of the last one; with `orEqual` also
   * the first at which they equal it.
   */
  placeOf(part: number, whole: number, orEqual = false): number {
    const last = this.#size - 1
    const bound = part * this.rounded(last)
    const excess = (place: number) => {
      const found = this.rounded(place) * whole - bound
      // Surely of the right sign, but for sums next to the bound.
      if (Math.abs(found) > 1e-14 * bound) return found
      return this.exact(place) * BigInt(whole) - BigInt(part) * this.exact(last)
    }
    let first = 0
    for (let end = last; first < end; ) {
      const middle = (first + end) >> 1
      const found = excess(middle)
      if (found > 0 || (orEqual && found >= 0)) end = middle
      else first = middle + 1
    }
    return first
  }

  #partAt(digit: number): Float64Array {
    while (this.#parts.length <= digit) this.#parts.push(new Float64Array(this.#size))
    return this.#parts[digit]
  }
}

/** Refuses weights that are not as many as the rows; none stand for 1 each. */
export function checkWeights(weights: Float64Array, rows: number, parameter: string, rowsOf: string): void {
  if (weights.length > 0 && weights.length !== rows)
    throw new DomainError(parameter, `has ${weights.length} values but {${rowsOf}} has ${rows}`)
}

/** part/whole, correctly rounded. */
export function quotient(part: bigint, whole: bigint): number {
  const [a, b] = [Number(part), Number(whole)]
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) return a / b
  if (part <= 0n) return part === 0n ? 0 : -quotient(-part, whole)
  // Far more bits than a double has; the lowest stands for the remainder.
  return Number(((part << 500n) / whole) | 1n) / 2 ** 500
}
