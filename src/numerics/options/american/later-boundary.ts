/** A put's exercise boundary at long times to maturity, continued piece by piece from that of a short horizon. */
import { gaussLegendre, type Rule } from '../../arithmetic/gauss-legendre.ts'
import { spend } from '../../budget.ts'
import { factorise, solveFactorised } from '../../matrices/linear-system.ts'
import { millsRatio, NORMAL_PEAK } from '../mills-ratio.ts'

import { CHANGES, type ScaledPut } from './scaled-put.ts'

/** ln of the boundary between two times, by its values at Chebyshev points of the time; the first value is that of the piece before. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly logs: Float64Array
  /** The derivatives of the logs by the rate, the yield and ln σ, point by point; only where they are asked for. */
  readonly changes?: Float64Array
}

/** ln of the boundary at a time before the first piece, and if asked its three changes. */
export type Start = (time: number, changes: Float64Array | undefined) => number

interface Continuation {
  readonly put: ScaledPut
  readonly start: Start
  /** The time at which the first piece begins. */
  readonly from: number
  readonly withChanges: boolean
}

const SIZE = 12
/** The changes by the rate and the yield; that by ln σ follows from them. */
const RATES = 2
/** A piece ends at this multiple of the time at which it begins: the boundary is smooth on the scale of the time. */
const LONGER = 1.4
const MOST_STEPS = 30
const TOLERANCE = 1e-11
/** Before so many pieces most boundaries end, or no later time is asked for. */
const MOST_EXPECTED = 60
/** A step that shrinks no more is rounding; it is none where it moves the boundary, in units of the strike, by more than this. */
const MOST_ROUNDING = 1e-13
const MOST_MOVE = 1
/** The weight of values beside slopes at a negative rate. Where the boundary falls far, values have fewer digits. */
const DAMPING = 2
/** ln of a boundary, in units of the strike, at which the pieces end. */
const LOWEST = -40
/** Below this ln of a boundary its own digits are lost; they do not count in a price. */
export const UNCERTAIN = -28

const POINTS = Float64Array.from({ length: SIZE + 1 }, (_, j) => Math.sin((Math.PI * j) / (2 * SIZE)) ** 2)
/** The barycentric weights of the points. */
const WEIGHTS = POINTS.map((_, j) => (j % 2 === 0 ? 1 : -1) * (j === 0 || j === SIZE ? 0.5 : 1))
const [NEAR_RULE, FAR_RULE] = [gaussLegendre(24), gaussLegendre(16)]

/** The pieces up to a time, or to an earlier one beyond which exercise counts in no digit. Undefined: no convergence. */
export function laterPieces(given: Continuation, until: number): Piece[] | undefined {
  const pieces: Piece[] = []
  let { from } = given
  while (from < until) {
    const to = Math.min(until, LONGER * from)
    const piece = solvePiece(
      given,
      pieces,
      from,
      to < until && LONGER * to > until ? Math.sqrt(from * until) : to,
    )
    const isUncertain = pieces.length > 0 && pieces.at(-1)!.logs[SIZE] < UNCERTAIN
    if (piece === undefined) return isUncertain ? pieces : undefined
    pieces.push(piece)
    if (piece.logs[SIZE] < LOWEST) break
    from = piece.to
  }
  return pieces
}

/** An estimate of the time that the pieces between two times take, in microseconds. */
export function piecesMicros(from: number, until: number): number {
  const count = Math.min(1 + Math.log(until / from) / Math.log(LONGER), MOST_EXPECTED)
  return count * (900 + 100 * count)
}

/** ln of the boundary at a time in the pieces; after the last one, its last value. Writes its changes if they are known. */
export function logInPieces(pieces: readonly Piece[], time: number, into?: Float64Array): number {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (time > pieces[middle].to) low = middle + 1
    else high = middle
  }
  return logInPiece(pieces[low], time, into)
}

function logInPiece({ from, to, logs, changes }: Piece, time: number, into?: Float64Array): number {
  const shares = sharesAt(Math.min(1, (time - from) / (to - from)))
  let log = 0
  for (let j = 0; j <= SIZE; j++) log += shares[j] * logs[j]
  if (into !== undefined && changes !== undefined)
    for (let which = 0; which < CHANGES; which++) {
      into[which] = 0
      for (let j = 0; j <= SIZE; j++) into[which] += shares[j] * changes[CHANGES * j + which]
    }
  return log
}

const shares = new Float64Array(SIZE + 1)

/** The coefficients of the values at the points in the polynomial at a place, by the barycentric formula. All calls share the array. */
function sharesAt(place: number): Float64Array {
  let sum = 0
  for (let j = 0; j <= SIZE; j++) {
    const distance = place - POINTS[j]
    if (distance === 0) {
      shares.fill(0)
      shares[j] = 1
      return shares
    }
    shares[j] = WEIGHTS[j] / distance
    sum += shares[j]
  }
  for (let j = 0; j <= SIZE; j++) shares[j] /= sum
  return shares
}

/** The points of the integrals over earlier times, for one time. */
interface Earlier {
  /** The root of the span between both times, and the weight of the span. */
  readonly roots: number[]
  readonly weights: number[]
  readonly logs: number[]
  /** Three a point. */
  readonly changes: number[]
  /** Of the last points, which lie in the piece itself: thirteen coefficients a point. */
  readonly shares: number[]
}

function earlierPoints(
  { start, from, withChanges }: Continuation,
  pieces: readonly Piece[],
  piece: Piece,
  time: number,
): Earlier {
  const earlier: Earlier = { roots: [], weights: [], logs: [], changes: [], shares: [] }
  const moves = new Float64Array(CHANGES)
  const asked = withChanges ? moves : undefined
  const add = (root: number, weight: number, log: number) => {
    earlier.roots.push(root)
    earlier.weights.push(weight)
    earlier.logs.push(log)
    earlier.changes.push(...moves)
  }
  // Towards maturity the boundary is smooth in the fourth root of the time at best.
  for (const [k, v] of NEAR_RULE.nodes.entries()) {
    const there = 0.5 * from * v ** 4
    add(Math.sqrt(time - there), 2 * from * v ** 3 * NEAR_RULE.weights[k], start(there, asked))
  }
  const addSpan = (low: number, high: number, { nodes, weights }: Rule, logAt: (there: number) => number) => {
    const [least, most] = [Math.sqrt(time - high), Math.sqrt(time - low)]
    for (const [k, node] of nodes.entries()) {
      const root = least + (most - least) * node
      add(root, 2 * root * (most - least) * weights[k], logAt(Math.max(low, time - root * root)))
    }
  }
  addSpan(0.5 * from, from, NEAR_RULE, (there) => start(there, asked))
  for (const one of pieces) addSpan(one.from, one.to, FAR_RULE, (there) => logInPiece(one, there, asked))
  moves.fill(0)
  addSpan(piece.from, time, NEAR_RULE, (there) => {
    earlier.shares.push(...sharesAt((there - piece.from) / (piece.to - piece.from)))
    return 0
  })
  return earlier
}

/** Newton's method on the equations of `exercise-equations` at the points of a piece. */
function solvePiece(
  given: Continuation,
  pieces: readonly Piece[],
  from: number,
  to: number,
): Piece | undefined {
  const before = pieces.at(-1)
  const logAt = (time: number) =>
    before === undefined ? given.start(time, undefined) : logInPiece(before, time)
  const first = logAt(from)
  const slope = (first - logAt(0.98 * from)) / (0.02 * from)
  const logs = POINTS.map((point) => first + slope * point * (to - from))
  const piece: Piece = { from, to, logs }
  const times = POINTS.map((point) => from + point * (to - from))
  const earlier = Array.from(times.subarray(1), (time) => earlierPoints(given, pieces, piece, time))
  const system: System = {
    put: given.put,
    residuals: new Float64Array(SIZE),
    jacobian: new Float64Array(SIZE * SIZE),
    changes: Array.from({ length: RATES }, () => new Float64Array(SIZE)),
    firstChanges: new Float64Array(CHANGES),
  }
  if (given.withChanges) {
    if (before === undefined) given.start(from, system.firstChanges)
    else logInPiece(before, from, system.firstChanges)
  }
  const exchanged = new Int32Array(SIZE)
  let last = Number.POSITIVE_INFINITY
  for (let count = 0; count < MOST_STEPS; count++) {
    spend(0.1 * SIZE * earlier[0].roots.length)
    for (let i = 0; i < SIZE; i++) writeNode(system, i, times[i + 1], logs, earlier[i])
    factorise(system.jacobian, exchanged)
    solveFactorised(system.jacobian, exchanged, system.residuals)
    let [change, moved] = [0, 0]
    for (let i = 0; i < SIZE; i++) {
      const step = Math.min(MOST_MOVE, Math.max(-MOST_MOVE, system.residuals[i]))
      change = Math.max(change, Math.abs(step))
      moved = Math.max(moved, Math.abs(step) * Math.exp(logs[i + 1]))
      logs[i + 1] -= step
    }
    if (!Number.isFinite(change)) return undefined
    if (change <= TOLERANCE || (change >= 0.3 * last && moved < MOST_ROUNDING))
      return given.withChanges ? { ...piece, changes: changesOf(system, piece, exchanged) } : piece
    last = change
  }
  return undefined
}

interface System {
  readonly put: ScaledPut
  readonly residuals: Float64Array
  readonly jacobian: Float64Array
  /** The derivatives of the residuals by the rate, the yield and ln σ, with the boundary of the piece held and the earlier one moving. */
  readonly changes: readonly Float64Array[]
  /** The changes of the boundary where the piece begins. */
  readonly firstChanges: Float64Array
}

/** ln b depends on r/σ², q/σ² and σ²·τ alone, which gives the change by ln σ from the others. */
function changesOf(
  { put: { rate, dividendYield }, jacobian, changes, firstChanges }: System,
  { from, to, logs }: Piece,
  exchanged: Int32Array,
): Float64Array {
  const found = new Float64Array(CHANGES * (SIZE + 1))
  found.set(firstChanges)
  changes.forEach((column, which) => {
    solveFactorised(jacobian, exchanged, column)
    for (let i = 0; i < SIZE; i++) found[CHANGES * (i + 1) + which] = -column[i]
  })
  for (let i = 0; i <= SIZE; i++) {
    const at = CHANGES * i
    const time = from + POINTS[i] * (to - from)
    const slope = slopeAt(logs, i) / (to - from)
    found[at + 2] = 2 * (time * slope - rate * found[at] - dividendYield * found[at + 1])
  }
  return found
}

/** The derivative of the polynomial at one of its points. */
function slopeAt(logs: Float64Array, i: number): number {
  let sum = 0
  for (let j = 0; j <= SIZE; j++)
    if (j !== i) sum += ((WEIGHTS[j] / WEIGHTS[i]) * (logs[j] - logs[i])) / (POINTS[i] - POINTS[j])
  return sum
}

/**
 * Writes the residual of a node with its derivatives: how far the slope of the put is above −1 at the boundary, and in proportion
 * `DAMPING` its value above the payoff, in units of the boundary. By slopes alone an error of the value would change as exp(−r·τ).
 */
function writeNode(system: System, i: number, time: number, logs: Float64Array, earlier: Earlier): void {
  const { put, residuals, jacobian, changes, firstChanges } = system
  const { rate, dividendYield } = put
  const drift = rate - dividendYield + 0.5
  const damping = rate < 0 ? DAMPING : 0
  const own = logs[i + 1]
  const inverseOwn = Math.exp(-own)
  // Where a negative yield lets both terms of the gain grow, its complement is computed (`gainsByRest`).
  const isRest = -dividendYield * time > 0.5
  const sign = isRest ? -1 : 1
  const root = Math.sqrt(time)
  const d0 = own / root + drift * root
  const start = tailOf(-sign * d0, -dividendYield * time)
  const startTail = tailOf(d0, -dividendYield * time)
  const startDensity = densityOf(d0, -dividendYield * time)
  const startStrike = tailOf(d0 - root, -rate * time) * inverseOwn
  let gain = (isRest ? 1 : 0) + sign * start
  let loss = 0
  let value = startStrike - startTail - Math.expm1(-own)
  let slope = startDensity / root
  const move = [startDensity * root, -startDensity * root - sign * time * start]
  const valueMove = [-time * startStrike, time * startTail]
  const row = jacobian.subarray(i * SIZE, (i + 1) * SIZE).fill(0)
  const inPiece = earlier.roots.length - NEAR_RULE.nodes.length
  for (let k = 0; k < earlier.roots.length; k++) {
    const span = earlier.roots[k]
    const square = span * span
    const weight = earlier.weights[k]
    const at = (k - inPiece) * (SIZE + 1)
    let there = earlier.logs[k]
    if (k >= inPiece) for (let j = 0; j <= SIZE; j++) there += earlier.shares[at + j] * logs[j]
    const d = (own - there) / span + drift * span
    const density = densityOf(d, -dividendYield * square)
    const tail = tailOf(-sign * d, -dividendYield * square)
    const spotTail = isRest ? tail : tailOf(d, -dividendYield * square)
    const strikeTail = tailOf(d - span, -rate * square) * inverseOwn
    const inverse = Math.exp(-there)
    const earned = rate * inverse - dividendYield
    const flow = (weight * density) / span
    gain += sign * dividendYield * weight * tail
    loss += flow * earned
    value += weight * (rate * strikeTail - dividendYield * spotTail)
    slope += dividendYield * flow + (flow * d * earned) / span
    // By ln b at the earlier time.
    const slopeThere = flow * (rate * inverse - dividendYield - (d * earned) / span) + damping * flow * earned
    if (k >= inPiece) for (let j = 0; j < SIZE; j++) row[j] += slopeThere * earlier.shares[at + j + 1]
    const byTime = flow * square * dividendYield
    const moved = flow * earned
    move[0] += byTime - flow * inverse + moved * d * span
    move[1] += sign * weight * (1 - dividendYield * square) * tail - byTime + flow - moved * (d - span) * span
    valueMove[0] += weight * (1 - rate * square) * strikeTail - moved * square
    valueMove[1] -= weight * (1 - dividendYield * square) * spotTail - moved * square
    const first = k >= inPiece ? earlier.shares[at] : 0
    for (let which = 0; which < RATES; which++)
      move[which] +=
        slopeThere * (k >= inPiece ? first * firstChanges[which] : earlier.changes[CHANGES * k + which])
  }
  residuals[i] = (gain - loss + damping * value) / loss
  row[i] += slope + damping * (gain - loss - value)
  for (let j = 0; j < SIZE; j++) row[j] /= loss
  for (let which = 0; which < RATES; which++)
    changes[which][i] = (move[which] + damping * valueMove[which]) / loss
}

const densityOf = (d: number, decay: number) => NORMAL_PEAK * Math.exp(decay - 0.5 * d * d)

/** exp(decay)·Φ(−d). */
function tailOf(d: number, decay: number): number {
  const tail = densityOf(d, decay) * millsRatio(Math.abs(d))
  return d > 0 ? tail : Math.exp(decay) - tail
}
