/** Variance Gamma calibration: quoted and fitted volatilities by strike and maturity, and the residual of each quote. */
import type { ModelsVarianceGammaCalibrateData } from '../../../../clients/typescript/types.ts'
import type { Form } from '../../../derive/forms.ts'
import { calibration } from '../../../numerics/results/variance-gamma.ts'
import { choicesOf, type TableSpec } from '../data/mapping.ts'
import { quantities } from '../greek-units.ts'
import { smiles } from '../kernels/calibration.ts'
import { plural, short } from '../numbers.ts'
import type { PictureProps, Values } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { dots } from '../pictures/layers.ts'
import type { Ink } from '../pictures/palette.ts'
import { around } from '../pictures/sampling.ts'

/** The table of the quotes: each row is an object, and each column one of its fields. */
export function tableOf({ fields }: Form): TableSpec {
  const { name: field, items } = fields.find(({ kind }) => kind === 'records')!
  return {
    kind: 'records',
    field,
    fields: items.map(({ name }) => name),
    needed: items.filter(({ required }) => required).map(({ name }) => name),
    choices: choicesOf(items),
  }
}

export const preview = calibration
export const model = smiles
export const isLong = true
export const headline = (data: ModelsVarianceGammaCalibrateData) =>
  quantities(['sigma', 'theta_vg', 'nu', 'rmse'], data)

/** Invented volatilities of an index: three maturities of seven strikes. */
export const sample = {
  quotes: [0.1, 0.5, 1.5].flatMap((T) =>
    [80, 90, 95, 100, 105, 110, 120].map((K) => {
      const x = Math.log(K / 100) / Math.sqrt(T + 0.2)
      return { K, T, implied_volatility: Number((0.2 - 0.12 * x + 0.15 * x * x).toFixed(4)) }
    }),
  ),
}

const COLORS: readonly Ink[] = ['first', 'second', 'third', 'fourth']

type Props = PictureProps<Values, ModelsVarianceGammaCalibrateData, ReturnType<typeof model>>

export function Picture({ data, model: { strikes, smiles, residuals } }: Props) {
  const range = { x: around(strikes, 0.03) }
  const drawn = smiles.flatMap(({ quoted, fitted }) => [...quoted, ...fitted])
  const colorOf = (maturity: number) =>
    COLORS[smiles.findIndex((one) => one.maturity === maturity)] ?? 'muted'
  const common = { height: 300, xLabel: 'Strike price' }
  return (
    <div class="charts">
      <Chart
        {...common}
        title="Implied volatility, quoted and fitted"
        summary={`Quoted volatilities as dots and fitted ones as lines, of ${plural(smiles.length, 'time')} to maturity; the root of the mean square of the prices is ${short(data.rmse)}.`}
        x={strikes}
        yLabel="Implied volatility"
        range={{ ...range, y: around(drawn, 0.08) }}
        lines={smiles.map(({ maturity, fitted }, i) => ({
          label: `${short(maturity)} years`,
          y: fitted,
          color: COLORS[i],
        }))}
        layers={smiles.map(({ places, quoted }, i) =>
          dots(places, quoted, { color: COLORS[i], size: 4, alpha: 0.9 }),
        )}
      />
      <Chart
        {...common}
        title="Residuals"
        summary={`Model less quoted price of ${plural(residuals.values.length, 'quote')}.`}
        yLabel="Model less quote"
        range={{ ...range, y: around([0, ...residuals.values], 0.1) }}
        x={[strikes[0], strikes.at(-1)!]}
        lines={[{ label: 'Zero', y: [0, 0], color: 'muted' }]}
        layers={[
          dots(residuals.strikes, residuals.values, {
            color: (i) => colorOf(residuals.maturities[i]),
            size: 4,
            alpha: 0.9,
          }),
        ]}
        numbers={() => [
          ['Strike price', 'Time to maturity', 'Model less quote'],
          ...residuals.values.map((value, i) => [residuals.strikes[i], residuals.maturities[i], value]),
        ]}
      />
    </div>
  )
}
