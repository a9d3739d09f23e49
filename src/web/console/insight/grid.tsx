/** The scenario grid: prices after moves of the spot, in percent, and of the volatility, in points. */
// @ts-nocheck: to be converted
import { useState } from 'preact/hooks'
import { costText } from '../cost.ts'
import { csv } from '../csv.ts'
import { requestOfGrid, scenarioGrid } from '../kernels/scenarios.ts'
import { capitalised, labelOf } from '../labels.ts'
import { addressOf } from '../link.ts'
import { plural, short } from '../numbers.ts'
import { creditsFor } from '../offers.ts'
import { saveText } from '../save.ts'
import { useSession } from '../session.ts'
import { useSteps } from '../use-steps.ts'

/** The significant digits of prices and of gains. */
const [DIGITS, GAIN_DIGITS] = [5, 4]

const signed = (value, text) => (value > 0 ? `+${text}` : text.replace('-', '−'))
const percent = (move) => `${signed(move, short(100 * move))} %`
const points = (move) => `${signed(move, short(100 * move))} pt`

export function Grid({ model, values }) {
  const { value: grid, isEarlier } = useSteps(() => scenarioGrid(model, values), [values])
  const [isGain, setGain] = useState(false)
  const word = model.fields.spot === 'forward' ? 'forward' : 'spot'
  const title = `${isGain ? 'Profit and loss' : 'Price'} by ${word} and volatility`
  return (
    <section class={isEarlier ? 'chart grid earlier' : 'chart grid'} aria-label="Scenario grid">
      <div class="heading">
        <h3>{title}</h3>
        <span class="tools">
          <span class="choice" role="group" aria-label="Numbers of the grid">
            {[
              [false, 'Value'],
              [true, 'P&L'],
            ].map(([one, text]) => (
              <button
                type="button"
                class="small quiet"
                aria-pressed={isGain === one}
                onClick={() => setGain(one)}
              >
                {text}
              </button>
            ))}
          </span>
          <button
            type="button"
            class="small quiet"
            aria-label="Save the scenario grid as CSV"
            onClick={() => grid !== null && saveText(csvOf(grid, model), 'scenario-grid.csv', 'text/csv')}
          >
            CSV
          </button>
        </span>
      </div>
      {grid !== null && <Cells grid={grid} word={word} isGain={isGain} title={title} />}
      {grid !== null && <OfService model={model} grid={grid} />}
    </section>
  )
}

const Cells = ({ grid, word, isGain, title }) => {
  const { spots, volatilities, spotMoves, volatilityMoves, prices, base } = grid
  const most = Math.max(...prices.flat().map((price) => Math.abs((price ?? base) - base)))
  const text = (price) => {
    if (price === null || (isGain && base === null)) return '–'
    return isGain ? signed(price - base, short(rounded(price - base, GAIN_DIGITS))) : short(rounded(price))
  }
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={title}>
      <table class="scenarios">
        <thead>
          <tr>
            <th scope="col">Volatility</th>
            {spots.map((spot, i) => (
              <th scope="col">
                {spotMoves[i] === 0 ? capitalised(word) : percent(spotMoves[i])}
                <br />
                {short(spot)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {volatilities.map((volatility, row) => (
            <tr>
              <th scope="row">
                {short(rounded(100 * volatility))} %<br />
                {volatilityMoves[row] === 0 ? 'as entered' : points(volatilityMoves[row])}
              </th>
              {prices[row].map((price, i) => (
                <td
                  class={
                    volatilityMoves[row] === 0 && spotMoves[i] === 0
                      ? 'base'
                      : price > base
                        ? 'gain'
                        : price < base
                          ? 'loss'
                          : undefined
                  }
                  style={{
                    '--share':
                      price === null ? '0%' : `${Math.round((35 * Math.abs(price - base)) / (most || 1))}%`,
                  }}
                >
                  {text(price)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The link to a request of columns, which computes the same prices by the service, and its cost. */
function OfService({ model, grid }) {
  const { credits } = useSession()
  const body = requestOfGrid(model, grid)
  const rows = body.columns[model.fields.spot].length
  const cost = costText({ most: rows * creditsFor(model.path), each: 'row' }, credits)
  return (
    <p class="hint">
      Computed in your browser, free.{' '}
      <a href={addressOf(`${model.path}/columns`, body)}>Ask the service for these {plural(rows, 'price')}</a>
      : {cost}
    </p>
  )
}

const csvOf = ({ spots, volatilities, prices, base }, { fields }) =>
  csv([
    ['Volatility', labelOf(fields.spot), 'Price', 'Profit and loss'],
    ...volatilities.flatMap((volatility, row) =>
      spots.map((spot, i) => [
        volatility,
        spot,
        prices[row][i],
        prices[row][i] === null || base === null ? null : prices[row][i] - base,
      ]),
    ),
  ])

const rounded = (value, digits = DIGITS) => Number(value.toPrecision(digits))
