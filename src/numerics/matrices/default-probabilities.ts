/** The probabilities of default of a Markov chain in continuous time. */
import { spend } from '../budget.ts'
import { DomainError } from '../domain-error.ts'
import { identity, type Matrix, product } from './matrix.ts'

/** Largest product of rates and years: so many steps are counted exactly in doubles. */
const MOST_STEPS = 2 ** 50
/** A term that adds less to every entry ends a series. */
const NEGLIGIBLE = 2 ** -56

/**
 * The probability of being in the last rating after each time, from each rating: exp(Q·t) times the last unit vector.
 *
 * One step h is a power of two at which no rating is left with a probability above about one half. The matrices of h, 2h, 4h, …
 * are squares of each other, and a time is a sum of some of them and a rest below h; step and rest are summed by
 * uniformisation (Jensen 1953). Nothing is subtracted: of the generator only the rates between ratings are used, and the rows
 * of each square are divided by their sums, which keeps its entries right to some roundings each, however stiff the chain (the
 * probabilities of leaving are kept, as Grassmann, Taksar & Heyman 1985 do).
 * @param generator rates per year; the diagonal is not read
 * @param times in years, at least 0
 * @returns a row per time, a column per rating
 */
export function defaultProbabilities(generator: Matrix, times: readonly number[]): Matrix {
  const { rows: size } = generator
  const most = times.reduce((one, other) => Math.max(one, other), 0)
  const largest = largestExit(generator)
  if (!(largest * most <= MOST_STEPS))
    throw new DomainError('times', 'times the largest rate must be at most 1e15: use shorter times')
  const step = stepFor(largest)
  const jump = jumpMatrix(generator, step)
  const squares = squaresOf(jump, Math.floor(most / step))
  const values = new Float64Array(times.length * size)
  times.forEach((time, index) => {
    const steps = Math.floor(time / step)
    let chances: Float64Array = new Float64Array(size)
    chances[size - 1] = 1
    chances = uniformised((vector) => applied(jump, vector), time / step - steps, chances)
    for (const [bit, square] of squares.entries())
      if (Math.floor(steps / 2 ** bit) % 2 === 1) chances = applied(square, chances)
    values.set(chances, index * size)
  })
  for (let cell = 0; cell < values.length; cell++)
    values[cell] = cell % size === size - 1 ? 1 : Math.min(1, values[cell])
  return { values, rows: times.length, columns: size }
}

/** The length of a step, a power of two, so that division by it is exact; of any size where no rating is left. */
function stepFor(largest: number): number {
  let step = 2 ** Math.min(1_000, Math.floor(-Math.log2(largest)))
  while (2 * largest * step > 1) step /= 2
  return step
}

function largestExit({ values, rows: size }: Matrix): number {
  let most = 0
  for (let row = 0; row < size; row++) {
    let sum = 0
    for (let column = 0; column < size; column++) sum += row === column ? 0 : values[row * size + column]
    if (!(sum <= most)) most = sum
  }
  return most
}

/** I + Q·step, whose diagonal is at least one half. */
function jumpMatrix(generator: Matrix, step: number): Matrix {
  const size = generator.rows
  const values = generator.values.map((rate) => rate * step)
  for (let row = 0; row < size; row++) {
    let leaving = 0
    for (let column = 0; column < size; column++) if (column !== row) leaving += values[row * size + column]
    values[row * size + row] = 1 - leaving
  }
  return { ...generator, values }
}

/** The matrices of 1, 2, 4, … steps, as many as `most` steps need. */
function squaresOf(jump: Matrix, most: number): Matrix[] {
  const squares: Matrix[] = []
  if (most < 1) return squares
  const values = uniformised(
    (power) => product(jump, { ...jump, values: power }).values,
    1,
    identity(jump.rows).values,
  )
  for (let square: Matrix = { ...jump, values }; ; square = product(square, square)) {
    normalise(square)
    squares.push(square)
    if (2 ** squares.length > most) return squares
  }
}

function normalise({ values, rows: size }: Matrix): void {
  for (let row = 0; row < size; row++) {
    const entries = values.subarray(row * size, (row + 1) * size)
    const sum = entries.reduce((total, value) => total + value, 0)
    for (let column = 0; column < size; column++) entries[column] /= sum
  }
}

/**
 * exp(share·(jump − I)) times a vector or a matrix: the mean of its powers over a Poisson number of jumps, for a share of at
 * most 1. @param jumped multiplies by the matrix of jumps
 */
function uniformised(
  jumped: (power: Float64Array) => Float64Array,
  share: number,
  start: Float64Array,
): Float64Array {
  let power = start
  let weight = Math.exp(-share)
  const sum = power.map((value) => weight * value)
  for (let k = 1; ; k++) {
    power = jumped(power)
    weight *= share / k
    let isEnd = true
    for (let i = 0; i < sum.length; i++) {
      const term = weight * power[i]
      if (term > NEGLIGIBLE * sum[i]) isEnd = false
      sum[i] += term
    }
    // A jump that reaches no further rating is followed by none that does.
    if (isEnd) return sum
  }
}

function applied({ values, rows: size }: Matrix, vector: Float64Array): Float64Array {
  spend(0.2 + 0.001 * size ** 2)
  const result = new Float64Array(size)
  for (let row = 0; row < size; row++) {
    let sum = 0
    for (let column = 0; column < size; column++) sum += values[row * size + column] * vector[column]
    result[row] = sum
  }
  return result
}
