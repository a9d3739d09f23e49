/** The views of a page of prices: price and Greeks, charts with a point to drag, the scenario grid, and two sets of inputs. */
// @ts-nocheck: to be converted
import { useMemo } from 'preact/hooks'
import { choices, choicesFor, chooseUnit, quantity, unitsChosen } from '../greek-units.ts'
import { Numbers } from '../preview.tsx'
import { GreekCurves, PriceCurve } from './charts.tsx'
import { Grid } from './grid.tsx'
import { Sets } from './sets.tsx'

const AXES = ['spot', 'volatility', 'maturity', 'strike']

/** `model`: as kernels/options.ts describes it; `price(data)`: the price of an answer; `More`: a further view of the operation. */
export const pricePicture = ({ model, price, More = null, ...others }) =>
  insightPicture({
    model,
    ...others,
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
        {More !== null && <More values={values} data={data} />}
      </>
    ),
  })

/** A chart of each of the model's numbers. If the answer has the number, it is shown in place of that of the model. */
export const greeksPicture = ({ model, ...others }) =>
  insightPicture({
    model,
    ...others,
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

/**
 * `valuesOf(values)`: the values of the model for those of a request; throws if there are none. `isInHeadline`: whether the
 * headline has the price and the Greeks already.
 */
export function insightPicture({ model, Charts, valuesOf = (values) => values, isInHeadline = false }) {
  const numbersOf = (values) => {
    try {
      return model.numbers(valuesOf(values))
    } catch {
      return null
    }
  }
  return function Picture({ values: sent, data, page }) {
    const values = useMemo(() => valuesOf(sent), [sent])
    const numbers = useMemo(() => numbersOf(sent), [sent])
    return (
      <div class="insight">
        <Units names={model.names} />
        {!isInHeadline && <PriceAndGreeks names={model.names} numbers={numbers} />}
        <Charts values={values} data={data} numbers={numbers} page={page} />
        {model.hasGrid?.(values) !== false && <Grid model={model} values={values} />}
        <Sets names={model.names} numbersOf={numbersOf} page={page} />
      </div>
    )
  }
}

/** The choice of units, which holds for all numbers of the console. */
function Units({ names }) {
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

function PriceAndGreeks({ names, numbers }) {
  return (
    <section class="chart" aria-label="Price and Greeks">
      <div class="heading">
        <h3>Price and Greeks</h3>
        <span class="tag">free, in your browser</span>
      </div>
      {numbers === null ? (
        <p class="hint">Some of them do not exist at these inputs.</p>
      ) : (
        <Numbers numbers={names.map((name) => quantity(name, numbers[name]))} />
      )}
    </section>
  )
}
