/** A chart of numbers against spot, strike, volatility or maturity, whose point at the present inputs can be dragged. */
import { useState } from 'preact/hooks'
import type { PriceAxis, PriceModel } from '../kernels/options.ts'
import { type Along, along, type Numbers, placesOf, withPlace } from '../kernels/scenarios.ts'
import { labelOf } from '../labels.ts'
import { short } from '../numbers.ts'
import type { PageOfOperation } from '../operation.ts'
import { Chart, type Line } from '../pictures/chart.tsx'
import type { HandlePoint } from '../pictures/handle.tsx'
import { point } from '../pictures/layers.ts'
import { sliderOf } from '../sliders.ts'
import { useSteps } from '../use-steps.ts'

const words: Readonly<Record<PriceAxis, string>> = {
  spot: 'spot price',
  strike: 'strike price',
  volatility: 'volatility',
  maturity: 'maturity',
}

const wordFor = (axis: PriceAxis, field: string): string => (field === 'forward' ? field : words[axis])

interface CurveInput<Found> {
  readonly model: PriceModel
  /** The numbers at values of the model. */
  readonly f: (values: object) => Found
  readonly values: object
  readonly axis: PriceAxis
}

/** The numbers along an axis. */
interface NumbersAlong<Found> {
  readonly axis: PriceAxis
  readonly field: string
  /** The present value of the field. */
  readonly present: number
  /** null until the first is computed. */
  readonly curve: Along<Found> | null
  /** Whether the curve is that of earlier values. */
  readonly isEarlier: boolean
  /** Keeps the places of the axis, which must not move while the point is dragged. */
  hold(isHeld: boolean): void
}

export function useCurve<Found>({ model, f, values, axis }: CurveInput<Found>): NumbersAlong<Found> {
  const field = model.fields[axis]
  const present = (values as Numbers)[field]
  const [held, setHeld] = useState<readonly number[] | null>(null)
  const usual = placesOf(model, values, axis)
  const { value, isEarlier } = useSteps(
    () => along(f, values, field, withPlace(held ?? usual, present)),
    [values, axis, held],
  )
  return {
    axis,
    field,
    present,
    curve: value,
    isEarlier,
    hold: (isHeld) => setHeld(isHeld ? usual : null),
  }
}

interface CurveProps<Found> {
  readonly along: NumbersAlong<Found>
  /** Lines of a chart, where `of(found)` gives the number of a line at a place. */
  readonly lines: readonly (Omit<Line, 'y'> & { of(found: Found): number | undefined })[]
  /** The name of the first line, and its present value. */
  readonly name: string
  readonly y: number | undefined
  /** undefined: the point cannot be dragged. */
  readonly page: PageOfOperation | undefined
  readonly height: number
}

export function Curve<Found>({ along, lines, name, y, page, height }: CurveProps<Found>) {
  const { axis, field, curve, isEarlier } = along
  if (curve === null)
    return (
      <figure class="chart">
        <figcaption>{name}</figcaption>
      </figure>
    )
  const { at, found, places } = curve
  const drawn = lines.map(({ of, ...line }) => ({
    ...line,
    y: found.map((one) => (one === null ? null : (of(one) ?? null))),
  }))
  const value = isEarlier ? drawn[0].y[places.indexOf(at)] : y
  const isKnown = typeof value === 'number' && Number.isFinite(value)
  const title = `${name} against ${wordFor(axis, field)}`
  return (
    <Chart
      title={title}
      summary={`${title}${isKnown ? `; ${short(value)} at ${short(at)}` : ''}.`}
      height={height}
      x={places}
      xLabel={labelOf(field)}
      yLabel={name}
      lines={drawn}
      layers={isKnown ? [point(at, value, { label: short(value), lift: page === undefined ? 10 : 17 })] : []}
      handle={
        isKnown && page !== undefined
          ? handleOf({ along, curve, name, value, title, ys: drawn[0].y, page })
          : null
      }
    />
  )
}

interface HandleInput extends Pick<CurveProps<unknown>, 'along' | 'name'> {
  readonly curve: Along<unknown>
  readonly title: string
  /** The number at the point, and those of its line. */
  readonly value: number
  readonly ys: readonly (number | null)[]
  readonly page: PageOfOperation
}

/** The handle of the point. It moves only as far as the curve goes, because the model refuses values beyond. */
function handleOf({ along, curve, name, title, value, ys, page }: HandleInput): HandlePoint {
  const { field, present, hold } = along
  const { at, places } = curve
  const described = page.form.fields.find((one) => one.name === field) ?? { name: field, type: 'number' }
  const slider = sliderOf(described, at)
  const known = places.filter((_, i) => ys[i] !== null)
  return {
    x: at,
    y: value,
    present,
    snap: (value) => slider.value(slider.position(value)),
    label: `${labelOf(field)}, in “${title}”`,
    text: `${short(at)}: ${name} ${short(value)}`,
    from: Math.max(known[0], slider.value(slider.position(0) + 1)),
    to: known.at(-1)!,
    step: (value, count) => slider.value(slider.position(value) + count),
    onMove: (value) => page.move(field, value),
    onHold: hold,
  }
}
