/** The scenario grid: prices after moves of the spot, in percent, and of the volatility, in points. */
import { useState } from 'preact/hooks'
import { costText } from '../cost.ts'
import type { PriceModel } from '../kernels/options.ts'
import { requestOfGrid, type ScenarioGrid, scenarioGrid } from '../kernels/scenarios.ts'
import { capitalised, labelOf } from '../labels.ts'
import { addressOf } from '../link.ts'
import { plural, short } from '../numbers.ts'
import { creditsFor } from '../offers.ts'
import { csv, saveText } from '../save.ts'
import { useSession } from '../session.ts'
import { useSteps } from '../use-steps.ts'

/** The significant digits of prices and of gains. */
const [DIGITS, GAIN_DIGITS] = [5, 4]

const signed = (value: number, text: string) => (value > 0 ? `+${text}` : text)
const percent = (move: number) => `${signed(move, short(100 * move))} %`
const points = (move: number) => `${signed(move, short(100 * move))} pt`

/** The gain of a price over the price without moves. */
const gainOf = (price: number | null, base: number | null): number | null =>
  price === null || base === null ? null : price - base

const kinds = [
  [false, 'Value'],
  [true, 'P&L'],
] as const

interface GridProps {
  readonly model: PriceModel
  readonly values: object
}

export function Grid({ model, values }: GridProps) {
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
            {kinds.map(([one, text]) => (
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

interface CellsProps {
  readonly grid: ScenarioGrid
  /** The word for the spot. */
  readonly word: string
  /** Whether gains are shown in place of prices. */
  readonly isGain: boolean
  readonly title: string
}

const Cells = ({ grid, word, isGain, title }: CellsProps) => {
  const { spots, volatilities, spotMoves, volatilityMoves, prices, base } = grid
  const most = Math.max(...prices.flat().map((price) => Math.abs(gainOf(price, base) ?? 0)))
  const text = (price: number | null) => {
    if (!isGain) return price === null ? '–' : short(rounded(price))
    const gain = gainOf(price, base)
    return gain === null ? '–' : signed(gain, short(rounded(gain, GAIN_DIGITS)))
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
              {prices[row].map((price, i) => {
                const gain = gainOf(price, base) ?? 0
                const isBase = volatilityMoves[row] === 0 && spotMoves[i] === 0
                return (
                  <td
                    class={isBase ? 'base' : gain > 0 ? 'gain' : gain < 0 ? 'loss' : undefined}
                    style={{ '--share': `${Math.round((35 * Math.abs(gain)) / (most || 1))}%` }}
                  >
                    {text(price)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface OfServiceProps {
  readonly model: PriceModel
  readonly grid: ScenarioGrid
}

/** The link to a request of columns, which computes the same prices by the service, and its cost. */
function OfService({ model, grid }: OfServiceProps) {
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

const csvOf = ({ spots, volatilities, prices, base }: ScenarioGrid, { fields }: PriceModel) =>
  csv([
    ['Volatility', labelOf(fields.spot), 'Price', 'Profit and loss'],
    ...volatilities.flatMap((volatility, row) =>
      spots.map((spot, i) => [volatility, spot, prices[row][i], gainOf(prices[row][i], base)]),
    ),
  ])

const rounded = (value: number, digits = DIGITS) => Number(value.toPrecision(digits))
