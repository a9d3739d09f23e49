/** Finite differences of a few built-in functions. */
import { DomainError } from './domain-error.ts'

interface Differentiable {
  evaluate(x: number): number
  /** Why the function is not defined on all of [lower, upper]; absent for functions defined everywhere. */
  gap?(lower: number, upper: number): string | undefined
  /** The difference quotient, also where values at the points over- or underflow; absent for functions whose values do not. */
  slope?(lower: number, upper: number): number
}

const functions = {
  exp: { evaluate: Math.exp, slope: exponentialSlope },
  log: { evaluate: Math.log, gap: (lower) => (lower > 0 ? undefined : 'log needs arguments above 0') },
  sin: { evaluate: Math.sin },
  cos: { evaluate: Math.cos },
  sqrt: {
    evaluate: Math.sqrt,
    gap: (lower) => (lower >= 0 ? undefined : 'sqrt needs arguments of at least 0'),
  },
  tan: { evaluate: Math.tan, gap: tangentGap },
  x2: { evaluate: (x) => x * x, slope: (lower, upper) => lower + upper },
  x3: { evaluate: (x) => x * x * x, slope: cubeSlope },
} as const satisfies Record<string, Differentiable>

/** Smaller values of functions have lost digits. */
const LEAST_NORMAL = 2 ** -1022

export type FunctionName = keyof typeof functions
export const functionNames = Object.keys(functions) as readonly FunctionName[]

export const differenceMethods = ['central', 'forward', 'backward'] as const
export type DifferenceMethod = (typeof differenceMethods)[number]

/**
 * The finite difference of a built-in function at x with step h > 0: between x − h and x + h (central), x and
 * x + h (forward) or x − h and x (backward), divided by the difference of the two rounded points
 * (Press et al., Numerical Recipes, 3rd ed. 2007, §5.7).
 *
 * Refuses a step smaller than the rounding of x, points between which the function is not defined, and overflow.
 */
export function finiteDifference(name: FunctionName, x: number, h: number, method: DifferenceMethod): number {
  if (!(h > 0)) throw new DomainError('h', 'must be greater than 0')
  if (x + h === x || (method !== 'forward' && x - h === x))
    throw new DomainError('h', `is too small: x + h rounds to x at x = ${x}; use a larger step`)
  const lower = method === 'forward' ? x : x - h
  const upper = method === 'backward' ? x : x + h
  if (!(Number.isFinite(lower) && Number.isFinite(upper)))
    throw new DomainError(
      'h',
      'is too large: a point of the difference is beyond the range of double precision',
    )

  const { evaluate, gap, slope: slopeBetween }: Differentiable = functions[name]
  const reason = gap?.(lower, upper)
  if (reason !== undefined)
    throw new DomainError('x', `${reason}; the points of the difference are ${lower} and ${upper}`, {
      isSentence: true,
    })
  const [above, below] = [evaluate(upper), evaluate(lower)]
  const ofValues = quotient(above, below, upper, lower)
  const hasDigits = Number.isFinite(ofValues) && Math.max(Math.abs(above), Math.abs(below)) >= LEAST_NORMAL
  const slope = hasDigits ? ofValues : (slopeBetween?.(lower, upper) ?? ofValues)
  if (!Number.isFinite(slope))
    throw new DomainError(
      'x',
      `The difference quotient of ${name} between ${lower} and ${upper} is beyond the range of double precision`,
      { isSentence: true },
    )
  return slope
}

/** (a − b)/(upper − lower), also where a difference overflows. */
function quotient(a: number, b: number, upper: number, lower: number): number {
  const [difference, step] = [a - b, upper - lower]
  const isWithin = Number.isFinite(difference) && Number.isFinite(step)
  return isWithin ? difference / step : (a / 2 - b / 2) / (upper / 2 - lower / 2)
}

/** exp(upper)·(1 − exp(lower − upper))/(upper − lower). */
function exponentialSlope(lower: number, upper: number): number {
  const root = Math.exp(upper / 2)
  return root * ((root / (upper - lower)) * -Math.expm1(lower - upper))
}

/** lower² + lower·upper + upper². */
function cubeSlope(lower: number, upper: number): number {
  const unit = Math.max(Math.abs(lower), Math.abs(upper)) < 1 ? 1 : 2
  const [a, b] = [lower / unit, upper / unit]
  return unit * unit * (a * a + a * b + b * b)
}

/** tan has a pole wherever cos changes its sign, and in every interval longer than π. */
function tangentGap(lower: number, upper: number): string | undefined {
  const pole = upper - lower > Math.PI || Math.cos(lower) > 0 !== Math.cos(upper) > 0
  return pole ? 'tan has a pole in this interval' : undefined
}
