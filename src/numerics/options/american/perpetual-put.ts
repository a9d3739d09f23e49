/** The American put without maturity. A put that is almost surely exercised before its maturity has the same value. */
import { DomainError } from '../../domain-error.ts'
import type { ScaledPut, Slopes } from './scaled-put.ts'

/** exp(−45) relative to a price is below its last digit. */
const CERTAIN = 45
/** Beyond this number of squared standard deviations of drift the time of exercise is too certain for the quadrature. */
const MOST_SHARP = 640

/** The boundary (Merton 1973, section 8), for a rate of at least 0. At a rate of 0 and a yield from −½ on it is 0. */
export function perpetualBoundary(put: ScaledPut): number {
  const power = perpetualPower(put)
  return power / (1 + power)
}

/** The value is proportional to the spot to the power of minus this number. */
export function perpetualPower(put: ScaledPut): number {
  const carry = carryOf(put)
  return carry > 0 ? carry + speed(put) : (2 * put.rate) / (speed(put) - carry)
}

const carryOf = ({ rate, dividendYield }: ScaledPut) => rate - dividendYield - 0.5

/** NaN where the rate is negative and the boundaries meet. */
function speed(put: ScaledPut): number {
  const carry = carryOf(put)
  if (put.rate >= 0) return Math.sqrt(carry ** 2 + 2 * put.rate)
  // The square of the carry may be beyond the range.
  const least = Math.SQRT2 * Math.sqrt(-put.rate)
  return Math.sqrt(carry - least) * Math.sqrt(carry + least)
}

/** A boundary of the perpetual put, as seen from a spot. */
interface Side {
  readonly power: number
  /** `speed`; with a minus sign at the lower boundary. */
  readonly pace: number
  /** From the boundary to the log spot; 0 where the put is exercised. */
  readonly distance: number
}

/** The boundary next to the spot: at a negative rate, the put is exercised between two of them. Undefined where there is none. */
function sideOf(put: ScaledPut, logSpot: number): Side | undefined {
  const power = perpetualPower(put)
  const pace = speed(put)
  if (put.rate >= 0)
    return power > 0 ? { power, pace, distance: Math.max(0, logSpot + depth(power)) } : undefined
  if (!(carryOf(put) > 0 && pace > 0 && pace < Number.POSITIVE_INFINITY)) return undefined
  const lowerPower = -put.rate / (0.5 * carryOf(put) + 0.5 * pace)
  const above = logSpot + depth(lowerPower)
  if (above < 0) return { power: lowerPower, pace: -pace, distance: above }
  return { power, pace, distance: Math.max(0, logSpot + depth(power)) }
}

/** −ln of the boundary, with all digits even if the boundary is next to the strike. */
const depth = (power: number) => (power > 1 ? Math.log1p(1 / power) : Math.log1p(power) - Math.log(power))

/**
 * Whether a put is exercised before maturity, up to a share of its value of about exp(−45). With a the distance of the log price
 * from the boundary of the perpetual put and λ² = (r − q − ½)² + 2r, the discounted density of the time t at which the boundary is
 * reached is proportional to exp(−(a − λt)²/2t). For a rate of at least 0, throws DomainError where drift of so many standard
 * deviations reaches the boundary just at maturity that no quadrature is precise; at a negative rate the quadrature is between two
 * boundaries and has limits of its own.
 */
export function isPerpetual(put: ScaledPut, logSpot: number, time: number): boolean {
  const side = sideOf(put, logSpot)
  if (side === undefined) return false
  const distance = Math.abs(side.distance) / Math.sqrt(time)
  const drift = Math.abs(side.pace) * Math.sqrt(time)
  const certain = Math.sqrt(2 * CERTAIN)
  if (drift - distance > certain) return true
  if (put.rate >= 0 && drift * distance > MOST_SHARP && distance - drift < certain)
    throw tooCertain(drift * distance)
  return false
}

/** Whether even the perpetual put, in this unit of its strike, is worth less than any double. */
export function isWorthless(put: ScaledPut, logSpot: number, unit: number): boolean {
  if (!(Math.abs(put.rate) < Number.POSITIVE_INFINITY)) return false
  const slopes = perpetualSlopes(put, logSpot)
  return slopes !== 'exercised' && unit * slopes.value === 0
}

/** The value of the perpetual put, where it is exercised at some spot, with its derivatives by the spot, in units of the strike. */
export function perpetualSlopes(put: ScaledPut, logSpot: number): Slopes | 'exercised' {
  const side = sideOf(put, logSpot)
  if (side === undefined || side.distance === 0) return 'exercised'
  const { power, distance, pace } = side
  const value = Math.exp(-power * distance) / (1 + power)
  const inverse = Math.exp(-logSpot)
  // The boundary is the best one, so that the value changes through the power p alone: by −value·distance, where
  // ∂p/∂r = (1 + p)/pace and ∂p/∂q = −p/pace; for ln σ, p² = 2(r − q − ½)p + 2r.
  const unit = (value * distance) / pace
  return {
    value,
    delta: -power * value * inverse,
    gamma: power * (1 + power) * value * inverse * inverse,
    rates: { rate: -unit * (1 + power), dividendYield: unit * power, volatility: unit * power * (1 + power) },
  }
}

function tooCertain(squares: number): DomainError {
  const reason = `Drift of ${Math.sqrt(squares).toFixed(0)} standard deviations reaches the exercise boundary just at maturity, which can be computed to the stated error up to ${Math.sqrt(MOST_SHARP).toFixed(0)}: use a larger {volatility}, or another {maturity}`
  return new DomainError('volatility', reason, { isSentence: true })
}
