/** The ranges of the sliders of number fields. */

type Linear = readonly [from: number, to: number, step: number]
/** Positions are even in the logarithm, and values have so many digits. */
interface Logarithmic {
  readonly log: readonly [from: number, to: number]
  readonly digits: number
}

/** The positions of a slider, from 0 to `steps`. */
export interface SliderScale {
  readonly steps: number
  position(value: number): number
  value(position: number): number
}

const ranges: Readonly<Record<string, Linear | Logarithmic>> = {
  ...named('spot forward S strike K', [1, 250, 0.5]),
  price: [0.05, 60, 0.05],
  ...named('risk_free_rate r', [-0.05, 0.15, 0.001]),
  ...named('dividend_yield q', [0, 0.15, 0.001]),
  volatility: [0, 1, 0.005],
  sigma: [0.02, 1, 0.005],
  ...named('time_to_maturity T', [0.01, 5, 0.01]),
  theta_vg: [-0.6, 0.6, 0.005],
  nu: [0.01, 2, 0.01],
  x: [-6, 6, 0.01],
  h: { log: [1e-15, 1], digits: 2 },
  wealth: { log: [1, 1e7], digits: 3 },
  threshold: [0.1, 8, 0.05],
  contamination: [0, 0.5, 0.005],
  n_trees: [1, 300, 1],
  random_state: [0, 100, 1],
  periods: [1, 60, 1],
  period: [0.25, 10, 0.25],
  base: [1.1, 12, 0.1],
  confidence: [0.5, 0.999, 0.001],
  n_bins: [1, 50, 1],
  max_samples: [2, 512, 1],
}
const STEPS = 400

function named(names: string, range: Linear): Record<string, Linear> {
  return Object.fromEntries(names.split(' ').map((name) => [name, range]))
}

/** The scale of a field. Its range is extended to contain the present value. */
export function sliderOf(
  { name, type }: { readonly name: string; readonly type?: string },
  value: number,
): SliderScale {
  const range = ranges[name] ?? (type === 'integer' ? [0, 100, 1] : [0, 100, 0.1])
  if ('log' in range) return logarithmic(range, value)
  const [from, to, step] = range
  const low = Math.min(from, value ?? from)
  const high = value > to ? value * 1.5 : to
  const size = high > to ? step * Math.ceil(high / to) : step
  return {
    steps: Math.round((high - low) / size),
    position: (value) => Math.round((value - low) / size),
    value: (position) => rounded(low + position * size, size),
  }
}

function logarithmic({ log: [from, to], digits }: Logarithmic, value: number): SliderScale {
  const low = Math.log(value > 0 ? Math.min(from, value) : from)
  const high = Math.log(value > 0 ? Math.max(to, value) : to)
  return {
    steps: STEPS,
    position: (value) =>
      Math.round(((Math.log(Math.max(value, Number.MIN_VALUE)) - low) / (high - low)) * STEPS),
    value: (position) => Number(Math.exp(low + ((high - low) * position) / STEPS).toPrecision(digits)),
  }
}

/** A value without the digits of rounding errors. */
const rounded = (value: number, step: number): number =>
  Number(value.toFixed(Math.max(0, Math.ceil(-Math.log10(step)) + 1)))
