/** Finite differences of a few built-in functions. */
import { DomainError } from './domain-error.ts'

interface Differentiable {
  evaluate(x: number): number
  /** Why the function is not defined on the whole of [lower, upper]; absent where it always is. */
  gap?(lower: number, upper: number): string | undefined
}

const functions = {
  exp: { evaluate: Math.exp },
  log: { evaluate: Math.log, gap: (lower) => (lower > 0 ? undefined : 'log needs arguments above 0') },
  sin: { evaluate: Math.sin },
  cos: { evaluate: Math.cos },
  sqrt: {
    evaluate: Math.sqrt,
    gap: (lower) => (lower >= 0 ? undefined : 'sqrt needs arguments of at least 0'),
  },
  tan: { evaluate: Math.tan, gap: tangentGap },
  x2: { evaluate: (x) => x * x },
  x3: { evaluate: (x) => x * x * x },
} as const satisfies Record<string, Differentiable>

export type FunctionName = keyof typeof functions
export const functionNames = Object.keys(functions) as readonly FunctionName[]

export const differenceMethods = ['central', 'forward', 'backward'] as const
export type DifferenceMethod = (typeof differenceMethods)[number]

/**
 * The finite difference of a built-in function at x with step h > 0: between x − h and x + h (central), x and
 * x + h (forward) or x − h and x (backward), divided by the step that floating point really takes
 * (Press et al., Numerical Recipes, 3rd ed. 2007, §5.7).
 *
 * Refuses a step lost in the rounding of x, a stencil on which the function is not defined, and overflow.
 */
export function finiteDifference(name: FunctionName, x: number, h: number, method: DifferenceMethod): number {
  if (!(h > 0)) throw new DomainError('h', 'must be greater than 0')
  if (x + h === x || (method !== 'forward' && x - h === x))
    throw new DomainError('h', `is lost beside x = ${x}: floating point takes no step; use a larger one`)
  const lower = method === 'forward' ? x : x - h
  const upper = method === 'backward' ? x : x + h
  const step = upper - lower
  if (!Number.isFinite(step)) throw new DomainError('h', 'is so large that the stencil overflows')

  const { evaluate, gap }: Differentiable = functions[name]
  const reason = gap?.(lower, upper)
  if (reason !== undefined)
    throw new DomainError(
      'x',
      `is too near the edge of the domain: ${reason}, the stencil is [${lower}, ${upper}]`,
    )
  const slope = quotient(evaluate(upper), evaluate(lower), step)
  if (!Number.isFinite(slope))
    throw new DomainError('x', `has no finite difference quotient: ${name} overflows on [${lower}, ${upper}]`)
  return slope
}

/** (a − b)/step, also where the difference alone overflows. */
function quotient(a: number, b: number, step: number): number {
  const difference = a - b
  return Number.isFinite(difference) ? difference / step : (a / 2 - b / 2) / (step / 2)
}

/** tan has a pole wherever cos changes its sign; an interval longer than π always holds one. */
function tangentGap(lower: number, upper: number): string | undefined {
  const pole = upper - lower > Math.PI || Math.cos(lower) > 0 !== Math.cos(upper) > 0
  return pole ? 'tan has a pole between the points' : undefined
}
