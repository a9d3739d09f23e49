/** One picture of a page of prices: numbers against spot, strike, volatility or maturity, with the present point. */
import { html } from '../html.js'
import { along, placesOf, withPlace } from '../kernels/scenarios.js'
import { labelOf } from '../labels.js'
import { short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { point } from '../pictures/layers.js'
import { useSteps } from '../use-steps.js'

const words = { spot: 'spot price', strike: 'strike price', volatility: 'volatility', maturity: 'maturity' }

const wordFor = (axis, field) => (field === 'forward' ? field : words[axis])

/** The numbers along an axis: `{ axis, field, curve, isEarlier }`, where `curve` is null before the first are computed. */
export function useCurve({ model, f, values, axis }) {
  const field = model.fields[axis]
  const places = placesOf(model, values, axis)
  const { value, isEarlier } = useSteps(
    () => along(f, values, field, withPlace(places, values[field])),
    [values, axis],
  )
  return { axis, field, curve: value, isEarlier }
}

/** `lines`: as a chart takes them, each with `of(found)`; `name`: what is drawn; `y`: its present value. */
export function Curve({ along: { axis, field, curve, isEarlier }, lines, name, y, height }) {
  if (curve === null) return html`<figure class="chart"><figcaption>${name}</figcaption></figure>`
  const { found, places, values } = curve
  const at = values[field]
  const drawn = lines.map(({ of, ...line }) => ({
    ...line,
    y: found.map((one) => (one === null ? null : (of(one) ?? null))),
  }))
  const own = isEarlier ? drawn[0].y[places.indexOf(at)] : y
  const isKnown = Number.isFinite(own)
  return html`<${Chart}
    title=${`${name} against ${wordFor(axis, field)}`}
    summary=${`${name} against ${wordFor(axis, field)}${isKnown ? `; ${short(own)} at ${short(at)}` : ''}.`}
    height=${height}
    x=${places}
    xLabel=${labelOf(field)}
    yLabel=${name}
    lines=${drawn}
    layers=${isKnown ? [point(at, own, { label: short(own) })] : []}
  />`
}
