/** Implied volatility: the price against the volatility, with the given price; then the other views, at that volatility. */
// @ts-nocheck: to be converted
import { PriceCurve } from './charts.tsx'
import { insightPicture } from './insight.tsx'

/** `implied(values)`: the data of a reply. A move of the point sets the price to that of the volatility of the point. */
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
    return (
      <PriceCurve
        model={model}
        values={values}
        price={model.price(values)}
        axis="volatility"
        page={priced}
        height={320}
      />
    )
  }
  return insightPicture({ model, Charts, valuesOf })
}
