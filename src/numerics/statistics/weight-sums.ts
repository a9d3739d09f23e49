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

  /** Of accumulated sums the exact weight of the places from `first` to `last`. */
  between(first: number, last: number): bigint {
    return this.exact(last) - (first === 0 ? 0n : this.exact(first - 1))
  }

  /** Of accumulated sums the first place at which the weight from `first` on is part/whole of that up to `last`, or more. */
  placeOf(part: number, whole: number, first: number, last: number): number {
    const before = first === 0 ? 0 : this.rounded(first - 1)
    const all = this.rounded(last)
    const bound = whole * before + part * (all - before)
    const isReached = (place: number) => {
      const excess = this.rounded(place) * whole - bound
      // Surely of the right sign, but for sums next to the bound.
      if (Math.abs(excess) > 1e-14 * whole * all) return excess > 0
      return BigInt(whole) * this.between(first, place) >= BigInt(part) * this.between(first, last)
    }
    let place = first
    for (let end = last; place < end; ) {
      const middle = (place + end) >> 1
      if (isReached(middle)) end = middle
      else place = middle + 1
    }
    return place
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
