/**
 * The views of one set of inputs on a page of prices: price and Greeks, pictures with a point to drag, the scenario grid, and
 * two sets compared.
 */
import { choices, choicesFor, chooseUnit, quantity, unitsChosen } from '../greek-units.js'
import { html, useMemo } from '../html.js'
import { Numbers } from '../preview.js'
import { GreekCurves, PriceCurve } from './charts.js'
import { Grid } from './grid.js'
import { Sets } from './sets.js'

const AXES = ['spot', 'volatility', 'maturity', 'strike']

/**
 * `model`: of kernels/options.js, or one like it; `price(data)`: that of the answer; `More`: a further picture of the
 * operation.
 */
export const pricePicture = ({ model, price, More = null, ...others }) =>
  insightPicture({
    model,
    ...others,
    Charts: ({ values, data, page }) => html`
      <div class="charts small">
        ${AXES.map(
          (axis) => html`<${PriceCurve}
            key=${axis}
            model=${model}
            values=${values}
            price=${price(data)}
            axis=${axis}
            page=${page}
          />`,
        )}
      </div>
      ${More !== null && html`<${More} values=${values} data=${data} />`}
    `,
  })

/** A picture of each of the model's numbers. `data` of the answer counts, where it has the number. */
export const greeksPicture = ({ model, ...others }) =>
  insightPicture({
    model,
    ...others,
    Charts: ({ values, data, numbers, page }) =>
      html`<${GreekCurves}
        model=${model}
        values=${values}
        numbers=${{ ...numbers, ...data }}
        names=${model.names}
        page=${page}
      />`,
  })

/**
 * `valuesOf(values)`: the values of the model, where the request has others; it throws where there are none. `isInHeadline`:
 * the numbers are those of the headline already.
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
    return html`<div class="insight">
      <${Units} names=${model.names} />
      ${!isInHeadline && html`<${PriceAndGreeks} names=${model.names} numbers=${numbers} />`}
      <${Charts} values=${values} data=${data} numbers=${numbers} page=${page} />
      ${model.hasGrid?.(values) !== false && html`<${Grid} model=${model} values=${values} />`}
      <${Sets} names=${model.names} numbersOf=${numbersOf} page=${page} />
    </div>`
  }
}

/** The choice of units, for all numbers of the console. */
function Units({ names }) {
  const offered = choicesFor(names)
  if (offered.length === 0) return null
  const chosen = unitsChosen()
  return html`<div class="units">
    ${offered.map(
      (choice) => html`<p
        class="choice"
        role="group"
        aria-label=${`Unit of ${choices[choice].label}`}
      >
        ${choices[choice].label}
        ${Object.entries(choices[choice].options).map(
          ([option, { unit }]) => html`<button
            type="button"
            class="small quiet"
            aria-pressed=${chosen[choice] === option}
            onClick=${() => chooseUnit(choice, option)}
          >
            ${unit}
          </button>`,
        )}
      </p>`,
    )}
    <p class="hint">
      On all pages, pictures and CSV files of this browser. Replies of the service stay per 1.00 and per year.
    </p>
  </div>`
}

function PriceAndGreeks({ names, numbers }) {
  return html`<section class="chart" aria-label="Price and Greeks">
    <div class="heading"><h3>Price and Greeks</h3><span class="tag">free, in your browser</span></div>
    ${
      numbers === null
        ? html`<p class="hint">Not all of them exist at these inputs.</p>`
        : html`<${Numbers}
          numbers=${names.map((name) => quantity(name, numbers[name]))}
        />`
    }
  </section>`
}
