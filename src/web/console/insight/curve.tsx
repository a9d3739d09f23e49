/** A chart of numbers against spot, strike, volatility or maturity, whose point at the present inputs can be dragged. */
// @ts-nocheck: to be converted
import { useState } from 'preact/hooks'
import { along, placesOf, withPlace } from '../kernels/scenarios.ts'
import { labelOf } from '../labels.ts'
import { short } from '../numbers.ts'
import { Chart } from '../pictures/chart.tsx'
import { point } from '../pictures/layers.ts'
import { sliderOf } from '../sliders.ts'
import { useSteps } from '../use-steps.ts'

const words = { spot: 'spot price', strike: 'strike price', volatility: 'volatility', maturity: 'maturity' }

const wordFor = (axis, field) => (field === 'forward' ? field : words[axis])

/**
 * The numbers along an axis: `curve` is that of `along`, null until the first is computed; `isEarlier`: it is that of earlier
 * values. `hold(true)` keeps the places of the axis, which must not move while the point is dragged.
 */
export function useCurve({ model, f, values, axis }) {
  const field = model.fields[axis]
  const [held, setHeld] = useState(null)
  const usual = placesOf(model, values, axis)
  const { value, isEarlier } = useSteps(
    () => along(f, values, field, withPlace(held ?? usual, values[field])),
    [values, axis, held],
  )
  return {
    axis,
    field,
    present: values[field],
    curve: value,
    isEarlier,
    hold: (isHeld) => setHeld(isHeld ? usual : null),
  }
}

/**
 * `lines`: lines of a chart, where `of(found)` gives the number of a line at a place; `name`: the name of the first line; `y`: its
 * present value; `page`: null if the point cannot be dragged.
 */
export function Curve({
  along: { axis, field, present, curve, isEarlier, hold },
  lines,
  name,
  title,
  y,
  page,
  height,
}) {
  if (curve === null)
    return (
      <figure class="chart">
        <figcaption>{title ?? name}</figcaption>
      </figure>
    )
  const { found, places, values } = curve
  const at = values[field]
  const drawn = lines.map(({ of, ...line }) => ({
    ...line,
    y: found.map((one) => (one === null ? null : (of(one) ?? null))),
  }))
  const value = isEarlier ? drawn[0].y[places.indexOf(at)] : y
  const isKnown = Number.isFinite(value)
  return (
    <Chart
      title={title ?? `${name} against ${wordFor(axis, field)}`}
      summary={`${name} against ${wordFor(axis, field)}${isKnown ? `; ${short(value)} at ${short(at)}` : ''}.`}
      height={height}
      x={places}
      xLabel={labelOf(field)}
      yLabel={name}
      lines={drawn}
      layers={isKnown ? [point(at, value, { label: short(value), lift: page === null ? 10 : 17 })] : []}
      handle={
        page === null || !isKnown
          ? null
          : handleOf({ name, axis, field, present, at, value, drawn, places, hold, page })
      }
    />
  )
}

/** The handle of the point. It moves only as far as the curve goes, because the model refuses values beyond. */
function handleOf({ name, axis, field, present, at, value, drawn: [{ y }], places, hold, page }) {
  const described = page.form.fields.find((one) => one.name === field) ?? { name: field, type: 'number' }
  const slider = sliderOf(described, at)
  const snap = (value) => slider.value(slider.position(value))
  const known = places.filter((_, i) => y[i] !== null)
  return {
    x: at,
    y: value,
    present,
    snap,
    label: `${labelOf(field)}, in “${name} against ${wordFor(axis, field)}”`,
    text: `${short(at)}: ${name} ${short(value)}`,
    from: Math.max(known[0], slider.value(slider.position(0) + 1)),
    to: known.at(-1),
    step: (value, count) => slider.value(slider.position(value) + count),
    onMove: (value) => page.move(field, value),
    onHold: hold,
  }
}
