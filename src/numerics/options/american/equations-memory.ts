/** The arrays in which the equations of an exercise boundary are computed. */
import { exponential } from '../../arithmetic/exponential.ts'
import type { Collocation } from './collocation.ts'
import type { BoundaryProblem } from './scaled-put.ts'

/** The arrays for equations of one size. All computations share them, because each ends before another begins. */
export interface Equations {
  readonly residuals: Float64Array
  readonly jacobian: Float64Array
  /** The row exchanges that `factorise` made in the Jacobian. */
  readonly exchanged: Int32Array
  /** The squares of the heights at the nodes. */
  readonly squares: Float64Array
  /** Values at each quadrature point of each node. These three do not depend on the heights, those below do. */
  readonly inverseSpans: Float64Array
  readonly decays: Float64Array
  readonly discounts: Float64Array
  readonly squaresThere: Float64Array
  /** ln(boundary/limit). */
  readonly logs: Float64Array
  readonly deviations: Float64Array
  readonly densities: Float64Array
  readonly mills: Float64Array
  readonly excesses: Float64Array
  /** The derivatives of the residual by `squaresThere`. */
  readonly slopes: Float64Array
}

const made = new Map<Collocation, Equations>()

/** The arrays for a problem, with the values that do not depend on the heights. */
export function equationsFor(problem: BoundaryProblem, scheme: Collocation): Equations {
  const known = made.get(scheme)
  const equations = known ?? newEquations(scheme)
  if (known === undefined) made.set(scheme, equations)
  const { inverseSpans, decays, discounts } = equations
  const { times, roots } = scheme
  for (let i = 0; i < times.length; i++) {
    const root = Math.sqrt(problem.horizon * times[i])
    for (let k = 0; k < roots.length; k++) {
      const span = root * roots[k]
      inverseSpans[i * roots.length + k] = 1 / span
      decays[i * roots.length + k] = -problem.dividendYield * span * span
    }
  }
  for (let at = 0; at < decays.length; at++) discounts[at] = exponentialOf(decays[at])
  return equations
}

function newEquations({ size, roots }: Collocation): Equations {
  const numbers = () => new Float64Array(size * roots.length)
  return {
    residuals: new Float64Array(size),
    jacobian: new Float64Array(size * size),
    exchanged: new Int32Array(size),
    squares: new Float64Array(size),
    inverseSpans: numbers(),
    decays: numbers(),
    discounts: numbers(),
    squaresThere: numbers(),
    logs: numbers(),
    deviations: numbers(),
    densities: numbers(),
    mills: numbers(),
    excesses: numbers(),
    slopes: numbers(),
  }
}

/** exp(x); the table of `exponential` ends at 700. */
export const exponentialOf = (x: number) => (x > -700 && x < 700 ? exponential(x, 0) : Math.exp(x))
