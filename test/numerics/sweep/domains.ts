/** The inputs that a sweep draws, by operation, over the whole domain that the service accepts. */
import { randomFraction, seededRandom } from '../../../src/numerics/forest/random.ts'
import { blackScholesPrice } from '../../../src/numerics/options/black-scholes.ts'
import { discounted } from '../../../src/numerics/options/forward.ts'

export interface Domain {
  readonly path: string
  /** In the words of docs/accuracy.md. */
  readonly text: string
  /** Points in a short sweep. */
  readonly points: number
  draw(): object
}

/** Domains that share one generator, so that a seed repeats a sweep. */
export function domains(seed: number): readonly Domain[] {
  const random = seededRandom(seed)
  const fraction = () => randomFraction(random)
  const between = (low: number, high: number) => low + (high - low) * fraction()
  const decades = (low: number, high: number) => Math.exp(between(Math.log(low), Math.log(high)))
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1))
  const pick = <Item>(...items: readonly Item[]): Item => items[whole(0, items.length - 1)]
  const sign = () => pick(-1, 1)
  const likely = (probability: number) => fraction() < probability
  const list = <Item>(length: number, item: (index: number) => Item) =>
    Array.from({ length }, (_, index) => item(index))
  /** Any double: bits at random, or one of the ends of the range. */
  const anyPositive = () =>
    likely(0.1) ? pick(5e-324, 2.2e-308, 1e-200, 1, 1e200, Number.MAX_VALUE) : decades(1e-300, 1e300)
  const anyNumber = () => (likely(0.05) ? 0 : sign() * anyPositive())

  /** Of any size that a double can have, the subnormal ones included. */
  const anySize = () => Math.max(5e-324, decades(5e-324, Number.MAX_VALUE))
  const finite = (value: number, otherwise: number) => (Number.isFinite(value) ? value : otherwise)

  /** An option whose forward lies k deviations from the strike; a tenth with numbers from all decades. */
  const option = () => {
    const maturity = likely(0.05) ? 0 : likely(0.15) ? anySize() : decades(1e-6, 100)
    const root = Math.sqrt(maturity) || 1
    const deviation = likely(0.15)
      ? decades(1e-300, 1e100)
      : likely(0.3)
        ? decades(1e-12, 1e-2)
        : decades(1e-2, 40)
    const volatility = likely(0.05) ? 0 : Math.min(deviation / root, Number.MAX_VALUE)
    const spot = likely(0.15) ? anySize() : decades(1e-3, 1e5)
    const steepness = likely(0.15) ? 750 : likely(0.2) ? 0 : 1
    const rate = (between(-1, 1) * steepness) / (maturity || 1)
    const dividendYield = likely(0.3) ? 0 : likely(0.2) ? rate : rate + between(-1, 1) / (maturity || 1)
    const k = likely(0.2) ? 0 : likely(0.6) ? between(-3, 3) : between(-38, 38)
    const x = k * volatility * root + (likely(0.3) ? sign() * decades(1e-18, 1e-3) : 0)
    const strike = likely(0.05)
      ? spot
      : likely(0.05)
        ? anySize()
        : spot * Math.exp((rate - dividendYield) * maturity - x)
    return {
      spot,
      strike: strike > 0 && strike < Infinity ? strike : spot,
      risk_free_rate: finite(rate, 0.05),
      volatility,
      time_to_maturity: maturity,
      dividend_yield: finite(dividendYield, 0),
      option_type: pick('call', 'put'),
    }
  }

  /** An option with numbers of any size, whose forward still is near the strike in two of three. */
  const extremeOption = () => {
    const maturity = likely(0.05) ? 0 : anySize()
    const root = Math.sqrt(maturity) || 1
    const volatility = likely(0.3) ? anySize() : Math.min(decades(1e-322, 1e3) / root, Number.MAX_VALUE)
    const deviation = volatility * root
    const spot = anySize()
    /** Of any size, or one that moves the log price by some deviations. */
    const anyRate = () =>
      likely(0.3)
        ? sign() * anySize()
        : finite(
            (sign() * (likely(0.5) ? decades(1e-3, 30) * deviation : decades(1e-300, 750))) / root / root,
            0,
          )
    const rate = likely(0.3) ? 0 : anyRate()
    const dividendYield = likely(0.5) ? rate : likely(0.5) ? anyRate() : finite(rate + anyRate(), rate)
    const beside = spot * (1 + sign() * decades(1e-17, 1) * Math.min(deviation, 1))
    const strike = likely(0.4) ? spot : likely(0.5) ? beside : anySize()
    return {
      spot,
      strike: strike > 0 && strike < Infinity ? strike : spot,
      risk_free_rate: rate,
      volatility: likely(0.05) ? 0 : volatility,
      time_to_maturity: maturity,
      dividend_yield: dividendYield,
      option_type: pick('call', 'put'),
    }
  }
  const anyOption = () => (likely(0.4) ? extremeOption() : option())

  const isPrice = (price: number) => price >= 0 && price < Infinity
  /** The option at its price, or at one of its bounds, or a unit in the last place or three beside it. */
  const quote = () => {
    for (;;) {
      const { volatility, ...rest } = anyOption()
      const { spot, strike, risk_free_rate: r, time_to_maturity: T, dividend_yield: q, option_type } = rest
      const isCall = option_type === 'call'
      const at = (sigma: number) => blackScholesPrice(isCall, spot, strike, r, sigma, T, q)
      const price = likely(0.6)
        ? at(volatility)
        : likely(0.6)
          ? at(0)
          : isCall
            ? discounted(spot, q, T)
            : discounted(strike, r, T)
      const moved = likely(0.7) ? price : price * (1 + whole(-3, 3) * 2 ** -52)
      if (T > 0 && isPrice(moved)) return { price: moved, ...rest }
    }
  }
  /** An option without rates at the difference of spot and strike, all quoted in cents. */
  const centsQuote = () => {
    const [low, difference] = [whole(1, 20_000), whole(1, 10_000)]
    const [most, least] = [(low + difference) / 100, low / 100]
    const option_type = pick('call', 'put')
    const [spot, strike] = option_type === 'call' ? [most, least] : [least, most]
    const rates = { risk_free_rate: 0, dividend_yield: 0 }
    return {
      price: difference / 100,
      spot,
      strike,
      ...rates,
      time_to_maturity: between(0.01, 2),
      option_type,
    }
  }

  const derivative = () => {
    const func_name = pick('exp', 'log', 'sin', 'cos', 'sqrt', 'tan', 'x2', 'x3')
    const size = likely(0.2) ? anyPositive() : likely(0.4) ? decades(1e-6, 1e6) : between(0, 700)
    const isPositive = func_name === 'log' || func_name === 'sqrt'
    const x = isPositive && likely(0.95) ? size : sign() * size
    const h = likely(0.7) ? Math.abs(x) * decades(1e-15, 1) : likely(0.5) ? decades(1e-12, 10) : anyPositive()
    return { func_name, x, h: h > 0 ? h : 1e-7, method: pick('central', 'forward', 'backward') }
  }

  const column = (rows: number) => {
    const scale = likely(0.3) ? anyPositive() : decades(1e-3, 1e3)
    const offset = likely(0.3) ? sign() * scale * decades(1, 1e14) : 0
    const few = likely(0.3) ? whole(1, 4) : Infinity
    const bounded = (value: number) =>
      Math.max(-Number.MAX_VALUE, Math.min(Number.isNaN(value) ? 0 : value, Number.MAX_VALUE))
    const values = list(Math.min(few, rows), () =>
      bounded(offset + scale * (likely(0.05) ? between(-50, 50) : between(-1, 1))),
    )
    return list(rows, (row) => (likely(0.5) ? values[row % values.length] : pick(...values)))
  }
  const table = (mostRows: number, mostColumns: number) => {
    const rows = whole(1, mostRows)
    const columns = list(whole(1, mostColumns), () => column(rows))
    return list(rows, (row) => columns.map((values) => values[row]))
  }

  const scores = () => {
    const n = whole(2, 300)
    const levels = likely(0.3) ? list(whole(1, 5), anyNumber) : []
    const y_true = list(n, (i) => (i === 0 ? 0 : i === 1 ? 1 : whole(0, 1)))
    return {
      y_true,
      y_score: list(n, () =>
        levels.length > 0 ? pick(...levels) : likely(0.5) ? anyNumber() : between(-1, 1),
      ),
    }
  }

  const transitions = () => {
    const n = whole(1, 8)
    const scale = likely(0.2) ? anyPositive() : decades(1e-3, 1e6)
    const count = () => (likely(0.3) ? 0 : likely(0.2) ? scale * decades(1e-200, 1) : scale * fraction())
    const rows = list(n, () => (likely(0.08) ? list(n, () => 0) : list(n, count)))
    return { transitions: rows, periods: likely(0.3) ? whole(1, 10) : Math.round(decades(1, 10_000)) }
  }

  const distribution = () => {
    const weights = list(whole(1, 200), () =>
      likely(0.1) ? 0 : likely(0.3) ? decades(1e-300, 1) : fraction(),
    )
    weights[0] += 1e-3
    const sum = weights.reduce((a, b) => a + b, 0)
    const slack = likely(0.3) ? 1 + between(-9.9e-7, 9.9e-7) : 1
    const base = likely(0.3)
      ? 2
      : likely(0.3)
        ? Math.E
        : likely(0.2)
          ? 1 + sign() * decades(2.3e-16, 0.5)
          : anyPositive()
    return { probabilities: weights.map((weight) => (weight / sum) * slack), base: base === 1 ? 10 : base }
  }

  const forest = () => {
    const X = likely(0.1) ? table(400, 3) : table(40, 6)
    const wide = likely(0.2) ? list(30, (row) => list(40, (c) => (c % 30 === row ? between(1, 2) : 0))) : X
    return {
      X: wide,
      n_trees: whole(1, 12),
      contamination: likely(0.2) ? pick(0, 0.5) : between(0, 0.5),
      random_state: likely(0.2)
        ? pick(Number.MIN_SAFE_INTEGER, -1, 0, Number.MAX_SAFE_INTEGER)
        : whole(0, 2 ** 40),
    }
  }

  const options =
    'every double that is accepted: spot, strike 5e-324…1.8e308, maturity and volatility 0 and 5e-324…1.8e308, rates 0 and ±5e-324…1.8e308; two in three forwards within 38 deviations of the strike'
  return [
    { path: '/quantlib/pricing/bs/price', text: options, points: 600, draw: anyOption },
    { path: '/quantlib/pricing/bs/greeks', text: options, points: 500, draw: anyOption },
    {
      path: '/quantlib/pricing/bs/implied-volatility',
      text: 'the options above with maturity above 0, at their prices, at a bound or up to three units in the last place beside it, and at intrinsic values in cents',
      points: 400,
      draw: () => (likely(0.1) ? centsQuote() : quote()),
    },
    {
      path: '/quantlib/numerical/differentiation/derivative',
      text: 'all functions and methods, x 1e-300…1e300 of either sign, h 5e-324…1e308',
      points: 1_000,
      draw: derivative,
    },
    {
      path: '/quantlib/ml/credit/discrimination',
      text: '2…300 scores of any size, with ties',
      points: 200,
      draw: scores,
    },
    {
      path: '/quantlib/ml/preprocessing/outliers',
      text: 'up to 60 × 3 numbers of any size, with ties, offsets up to 1e14 spreads, and constant columns; all methods',
      points: 300,
      draw: () => ({
        X: table(60, 3),
        method: pick('zscore', 'iqr', 'mad'),
        threshold: likely(0.1) ? anyPositive() : between(0.1, 5),
      }),
    },
    {
      path: '/quantlib/economics/utility/log',
      text: 'wealth 5e-324…1.8e308',
      points: 1_000,
      draw: () => ({ wealth: likely(0.3) ? 1 + sign() * decades(1e-16, 0.9) : anyPositive() }),
    },
    {
      path: '/quantlib/ml/credit/migration',
      text: 'up to 8 ratings, counts 0 and 1e-300…1e300, 1…10,000 periods',
      points: 100,
      draw: transitions,
    },
    {
      path: '/quantlib/physics/entropy/shannon',
      text: '1…200 probabilities from 1e-300, sums off by up to 1e-6, bases from 5e-324 to 1.8e308',
      points: 200,
      draw: distribution,
    },
    {
      path: '/quantlib/ml/clustering/isolation-forest',
      text: 'up to 400 rows and 40 columns of numbers of any size, up to 12 trees, any seed, against a second implementation',
      points: 60,
      draw: forest,
    },
  ]
}
