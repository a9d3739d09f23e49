/** Numerical derivative: its error against the step size, and the secant beside the function. */
import type {
  NumericalDifferentiationDerivativeData,
  NumericalDifferentiationDerivativeInput,
} from '../../../../clients/typescript/types.ts'
import { derivative } from '../../../numerics/results/scalars.ts'
import { wordFor } from '../labels.ts'
import { short } from '../numbers.ts'
import type { PictureProps } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { point, vertical } from '../pictures/layers.ts'
import type { Ink } from '../pictures/palette.ts'
import { curve, evenly, logarithmically } from '../pictures/sampling.ts'

export const lead =
  'To choose the step of a finite difference: its error falls with the step until rounding takes over.'

export const preview = derivative
type Input = Required<NumericalDifferentiationDerivativeInput>
type Data = NumericalDifferentiationDerivativeData

export const headline = (data: Data) => [{ name: 'derivative', label: 'Derivative', value: data.derivative }]

export const sample = { func_name: 'sin', x: 1, h: 0.001 }

type Curve = (x: number) => number

/** Each function with its derivative. */
const functions: Readonly<Record<Input['func_name'], readonly [Curve, Curve]>> = {
  exp: [Math.exp, Math.exp],
  log: [Math.log, (x) => 1 / x],
  sin: [Math.sin, Math.cos],
  cos: [Math.cos, (x) => -Math.sin(x)],
  sqrt: [Math.sqrt, (x) => 0.5 / Math.sqrt(x)],
  tan: [Math.tan, (x) => 1 / Math.cos(x) ** 2],
  x2: [(x) => x * x, (x) => 2 * x],
  x3: [(x) => x * x * x, (x) => 3 * x * x],
}
const methods = new Map<Input['method'], Ink>([
  ['central', 'first'],
  ['forward', 'second'],
  ['backward', 'third'],
])
/** The error at which an exact difference is drawn, because a logarithmic axis has no 0. */
const SMALLEST = 1e-18

export function Picture({ values, data }: PictureProps<Input, Data>) {
  const { func_name, x, h, method } = values
  const [f, slope] = functions[func_name]
  const exact = slope(x)
  const steps = logarithmically(1e-15, 1, 121)
  const error = (value: number) => Math.abs(value - exact) || null
  const reach = Math.max(4 * h, 1)
  const places = evenly(x - reach, x + reach)
  const found = error(data.derivative) ?? SMALLEST
  return (
    <div class="charts">
      <Chart
        title="Error against step size"
        summary={`Absolute error of the three methods against the step size; ${short(found)} for ${method} at step ${short(h)}.`}
        log="xy"
        height={290}
        range={{ x: [1e-15, Math.max(1, h)] }}
        x={steps}
        xLabel="Step size"
        yLabel="Absolute error"
        lines={Array.from(methods, ([name, color]) => ({
          label: wordFor(name),
          color,
          width: name === method ? 2 : 1,
          points: name === method,
          y: curve(steps, (h) => error(derivative({ ...values, h, method: name }).derivative)),
        }))}
        layers={[
          vertical(h, { color: 'muted' }),
          point(h, found, {
            label: found === SMALLEST ? 'exact' : short(found),
            color: methods.get(method)!,
          }),
        ]}
      />
      <Chart
        title={`${wordFor(func_name)} and the slope found`}
        summary={`The function ${wordFor(func_name)} and a line of slope ${short(data.derivative)} at ${short(x)}.`}
        height={290}
        x={places}
        xLabel="x"
        yLabel="f(x)"
        lines={[
          { label: wordFor(func_name), y: curve(places, f) },
          {
            label: 'Slope found',
            y: places.map((place) => f(x) + data.derivative * (place - x)),
            color: 'second',
          },
        ]}
        layers={[point(x, f(x), { label: short(data.derivative) })]}
      />
    </div>
  )
}
