/** Variance Gamma: the price beside Black–Scholes with its implied smile, and the Greeks. */
import type {
  ModelsVarianceGammaGreeksData,
  ModelsVarianceGammaPriceData,
  ModelsVarianceGammaPriceInput,
} from '../../../../clients/typescript/types.ts'
import * as results from '../../../numerics/results/variance-gamma.ts'
import { quantities, quantity } from '../greek-units.ts'
import { greeksPicture, pricePicture } from '../insight/insight.tsx'
import { equalVariance, impliedFrom, varianceGammaOption } from '../kernels/price-models.ts'
import { short } from '../numbers.ts'
import { Chart } from '../pictures/chart.tsx'
import { point } from '../pictures/layers.ts'
import { curve, evenly } from '../pictures/sampling.ts'

export const price = {
  lead: 'To price a European call with skew and fat tails, which one volatility cannot give.',
  preview: results.price,
  headline: (data: ModelsVarianceGammaPriceData) => [
    quantity('vg_call_price', data.vg_call_price, 'Call price'),
  ],
  Picture: pricePicture({
    model: varianceGammaOption,
    price: (data: ModelsVarianceGammaPriceData) => data.vg_call_price,
    More: Smile,
  }),
}

export const greeks = {
  lead: 'To hedge a European option under Variance Gamma: the sensitivities to the market and to the parameters of the model.',
  preview: results.greeks,
  headline: (data: ModelsVarianceGammaGreeksData) => quantities(varianceGammaOption.names, data),
  Picture: greeksPicture({ model: varianceGammaOption }),
}

interface SmileProps {
  readonly values: Required<ModelsVarianceGammaPriceInput>
  readonly data: ModelsVarianceGammaPriceData
}

function Smile({ values, data }: SmileProps) {
  const { S, K } = values
  const strikes = evenly(Math.min(K, S) * 0.6, Math.max(K, S) * 1.5, 73)
  const volatility = equalVariance(values)
  const prices = curve(strikes, (K) => results.price({ ...values, K }).vg_call_price)
  const smile = strikes.map((K, i) => {
    const price = prices[i]
    return price !== null && price > S * 1e-9 ? impliedFrom({ ...values, K }, price) : null
  })
  const implied = impliedFrom(values, data.vg_call_price)
  return (
    <div class="charts">
      <Chart
        title="Implied volatility smile"
        summary={`Black–Scholes volatility implied by the Variance Gamma price${implied === null ? '' : `; ${short(implied)} at strike price ${short(K)}`}.`}
        x={strikes}
        xLabel="Strike price"
        yLabel="Implied volatility"
        lines={[
          { label: 'Implied by Variance Gamma', y: smile },
          { label: 'Equal variance', y: strikes.map(() => volatility), color: 'third' },
        ]}
        layers={implied === null ? [] : [point(K, implied, { label: short(implied) })]}
      />
    </div>
  )
}
