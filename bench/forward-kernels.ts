/** Kernels of options on a forward, with the lines that QuantLib's formulas read (peers/quantlib.cpp). */
import type { BachelierInput } from '../src/numerics/options/bachelier.ts'
import {
  type ForwardModel,
  forwardGreeks,
  forwardImpliedVolatility,
  forwardOption,
} from '../src/numerics/options/forward-option.ts'

export interface ForwardKernel {
  /** The name by which peers/quantlib.cpp is asked for the kernel. */
  readonly what: string
  readonly peerName: string
  readonly lines: readonly number[][]
  readonly ours: number[]
  readonly peer: number[]
  /** Nanoseconds a result. */
  time(repetitions: number): number
}

const COUNT = 512

/** @param fractions returns generators of the same numbers from 0 to 1 */
export function forwardKernels(fractions: () => () => number): ForwardKernel[] {
  const make = (
    model: ForwardModel,
    what: string,
    peerName: string,
    result: (option: BachelierInput, price: number) => number,
  ): ForwardKernel => {
    const options = forwardOptions(model, fractions())
    const prices = options.map((option) => forwardOption(model, option))
    return {
      what,
      peerName,
      ours: [],
      peer: [],
      lines: options.map((option, i) => lineOf(option, prices[i])),
      time(repetitions) {
        let sum = 0
        const start = process.hrtime.bigint()
        for (let k = 0; k < repetitions; k++)
          for (const [i, option] of options.entries()) sum += result(option, prices[i])
        if (Number.isNaN(sum)) throw new Error('a result is not a number')
        return Number(process.hrtime.bigint() - start) / (repetitions * COUNT)
      },
    }
  }
  const price = (model: ForwardModel) => (option: BachelierInput) => forwardOption(model, option)
  const implied =
    (model: ForwardModel) =>
    ({ volatility: _, ...quote }: BachelierInput, price: number) =>
      forwardImpliedVolatility(model, { ...quote, price })
  return [
    make('black_76', 'black-price', 'blackFormula', price('black_76')),
    make('black_76', 'black-greeks', 'BlackCalculator', (option) => forwardGreeks('black_76', option).gamma),
    make('black_76', 'black-iv', 'blackFormulaImpliedStdDev to 1e-14', implied('black_76')),
    make('bachelier', 'bachelier-price', 'bachelierBlackFormula', price('bachelier')),
    make('bachelier', 'bachelier-iv', 'bachelierBlackFormulaImpliedVol', implied('bachelier')),
  ]
}

/** Forward 100, volatility 0.1…0.5 of it, maturity 0.05…2.05, strikes within two deviations. */
function forwardOptions(model: ForwardModel, uniform: () => number): BachelierInput[] {
  return Array.from({ length: COUNT }, (): BachelierInput => {
    const maturity = 0.05 + 2 * uniform()
    const volatility = 0.1 + 0.4 * uniform()
    const moves = (4 * uniform() - 2) * volatility * Math.sqrt(maturity)
    const isBlack = model === 'black_76'
    const strike = isBlack ? 100 * Math.exp(moves) : 100 + 100 * moves
    const type = uniform() < 0.5 ? 'call' : 'put'
    const unit = isBlack ? 1 : 100
    return { forward: 100, strike, rate: 0.05 * uniform(), volatility: unit * volatility, maturity, type }
  })
}

const lineOf = ({ forward, strike, rate, volatility, maturity, type }: BachelierInput, price: number) => [
  ...[forward, strike, rate, volatility, maturity, type === 'call' ? 1 : 0, price],
]
