/**
 * Implied volatility: the price against the volatility, and where the given price meets it; then what other pages of prices
 * show, at that volatility.
 */
import { html } from '../html.js'
import { PriceCurve } from './charts.js'
import { insightPicture } from './insight.js'

/** `implied(values)`: the reply to a request with a price. The point that is dragged sets the price that has its volatility. */
export function impliedPicture(model, implied) {
  const { volatility } = model.fields
  const valuesOf = (values) => {
    const { price, ...others } = values
    return { ...others, [volatility]: implied(values).implied_volatility }
  }
  const Charts = ({ values, page }) => {
    const priced = {
      ...page,
      move: (_, at) => page.move('price', model.price({ ...values, [volatility]: at })),
    }
    return html`<${PriceCurve}
      model=${model}
      values=${values}
      price=${model.price(values)}
      axis="volatility"
      page=${priced}
      height=${320}
    />`
  }
  return insightPicture({ model, Charts, valuesOf })
}
