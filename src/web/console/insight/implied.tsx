/** Implied volatility: the price against the volatility, with the given price; then the other views, at that volatility. */
import type { PriceModel } from '../kernels/options.ts'
import { PriceCurve } from './charts.tsx'
import { type ChartsProps, insightPicture } from './insight.tsx'

/** `implied(values)`: the data of a reply. A move of the point sets the price to that of the volatility of the point. */
export function impliedPicture<Quote extends { readonly price: number }>(
  model: PriceModel,
  implied: (values: Quote) => { readonly implied_volatility: number },
) {
  const { volatility } = model.fields
  const valuesOf = (values: Quote) => {
    const { price, ...others } = values
    return { ...others, [volatility]: implied(values).implied_volatility }
  }
  const Charts = ({ values, page }: ChartsProps<object, object>) => {
    const priced = {
      ...page,
      move: (_: string, at: number) => page.move('price', model.price({ ...values, [volatility]: at })),
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
