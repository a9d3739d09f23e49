/** The views of a page of prices: price and Greeks, charts with a point to drag, the scenario grid, two sets of inputs, implied volatility. */
import type { ComponentType } from 'preact'
import { useMemo } from 'preact/hooks'
import { choices, choicesFor, chooseUnit, quantities, unitsChosen } from '../greek-units.ts'
import type { PriceAxis, PriceModel } from '../kernels/options.ts'
import type { PageOfOperation, PictureProps, Values } from '../operation.ts'
import { Numbers } from '../preview.tsx'
import { GreekCurves, PriceCurve } from './charts.tsx'
import { Grid } from './grid.tsx'
import { Sets } from './sets.tsx'

const AXES: readonly PriceAxis[] = ['spot', 'volatility', 'maturity', 'strike']

interface PictureOfModel {
  readonly model: PriceModel
}

interface PricePicture<Priced, Data> extends PictureOfModel {
  /** The price of an answer. */
  price(data: Data): number
  /** A further view of the operation. */
  readonly More?: ComponentType<{ readonly values: Priced; readonly data: Data }>
}

export const pricePicture = <Priced extends object, Data extends object>({
  model,
  price,
  More,
  ...others
}: PricePicture<Priced, Data>) =>
  insightPicture<Priced, Data, Priced>({
    model,
    ...others,
    valuesOf: (values) => values,
    Charts: ({ values, data, page }) => (
      <>
        <div class="charts small">
          {AXES.map((axis) => (
            <PriceCurve
              key={axis}
              model={model}
              values={values}
              price={price(data)}
              axis={axis}
              page={page}
            />
          ))}
        </div>
        {More !== undefined && <More values={values} data={data} />}
      </>
    ),
  })

/** A chart of each of the model's numbers. If the answer has the number, it is shown in place of that of the model. */
export const greeksPicture = ({ model, ...others }: PictureOfModel) =>
  insightPicture<object, object, object>({
    model,
    ...others,
    valuesOf: (values) => values,
    Charts: ({ values, data, numbers, page }) => (
      <GreekCurves
        model={model}
        values={values}
        numbers={{ ...numbers, ...data }}
        names={model.names}
        page={page}
      />
    ),
  })

export interface ChartsProps<Priced, Data> {
  /** The values of the model. */
  readonly values: Priced
  readonly data: Data
  /** The numbers of the model; null: it refuses the values. */
  readonly numbers: Values | null
  readonly page: PageOfOperation
}

interface Insight<Sent, Data, Priced> extends PictureOfModel {
  readonly Charts: ComponentType<ChartsProps<Priced, Data>>
  /** The values of the model for those of a request; throws if there are none. */
  valuesOf(values: Sent): Priced
}

function insightPicture<Sent extends object, Data extends object, Priced extends object>({
  model,
  Charts,
  valuesOf,
}: Insight<Sent, Data, Priced>) {
  /** The values are those of a request, or of a set, which has the fields of the same form. */
  const numbersOf = (values: object) => {
    try {
      return model.numbers(valuesOf(values as Sent))
    } catch {
      return null
    }
  }
  return function Picture({ values: sent, data, page }: PictureProps<Sent, Data>) {
    const values = useMemo(() => valuesOf(sent), [sent])
    const numbers = useMemo(() => numbersOf(sent), [sent])
    // The card of the answer has the others.
    const further = model.names.filter((name) => !(name in data))
    return (
      <div class="insight">
        <Units names={model.names} />
        {further.length > 0 && <PriceAndGreeks names={further} numbers={numbers} />}
        <Charts values={values} data={data} numbers={numbers} page={page} />
        {model.hasGrid?.(values) !== false && <Grid model={model} values={values} />}
        <Sets names={model.names} numbersOf={numbersOf} page={page} />
      </div>
    )
  }
}

/** The choice of units, which holds for all numbers of the console. */
function Units({ names }: { readonly names: readonly string[] }) {
  const offered = choicesFor(names)
  if (offered.length === 0) return null
  const chosen = unitsChosen()
  return (
    <div class="units">
      {offered.map((choice) => (
        <p class="choice" role="group" aria-label={`Unit of ${choices[choice].label}`}>
          {choices[choice].label}
          {Object.entries(choices[choice].options).map(([option, { unit }]) => (
            <button
              type="button"
              class="small quiet"
              aria-pressed={chosen[choice] === option}
              onClick={() => chooseUnit(choice, option)}
            >
              {unit}
            </button>
          ))}
        </p>
      ))}
      <p class="hint">
        On all pages, pictures and CSV files of this browser. Replies of the service stay per 1.00 and per
        year.
      </p>
    </div>
  )
}

interface PriceAndGreeksProps {
  readonly names: readonly string[]
  readonly numbers: Values | null
}

function PriceAndGreeks({ names, numbers }: PriceAndGreeksProps) {
  const shown = quantities(names, numbers ?? {})
  const greeks = names.length > 1 ? 'Greeks' : null
  const title = [names.includes('price') ? 'Price' : null, greeks].filter(Boolean).join(' and ')
  return (
    <section class="chart" aria-label={title}>
      <div class="heading">
        <h3>{title}</h3>
        <span class="tag">free, in your browser</span>
      </div>
      <Numbers numbers={shown} />
      {shown.length < names.length && <p class="hint">Some of them do not exist at these inputs.</p>}
    </section>
  )
}

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
