/** Hostile and random inputs of each operation, among which the searches look for those that take longest beside their estimate. */
import { isolationForestFitOperation } from '../../../src/compute/catalogue/clustering/isolation-forest.ts'
import type { Operation } from '../../../src/compute/catalogue/operation.ts'
import { randomFraction, seededRandom } from '../../../src/numerics/arithmetic/random.ts'

let random = seededRandom(2026)
/** Begins the draws anew, so that the draws of one search do not change those of the next. */
export const reseed = (seed: number) => {
  random = seededRandom(seed)
}
export const between = (low: number, high: number) => low + (high - low) * randomFraction(random)
export const decades = (low: number, high: number) => Math.exp(between(Math.log(low), Math.log(high)))
export const pick = <Item>(...items: Item[]): Item => items[Math.floor(between(0, items.length))]
const list = (length: number, item: (index: number) => number) => Array.from({ length }, (_, i) => item(i))

const varianceGamma = () => {
  const [shape, T] = [decades(1e-6, 1e8), decades(1e-3, 30)]
  const nu = T / shape
  const margin = pick(decades(1e-8, 1), decades(1, 1e5))
  const sigma = decades(1e-9, 1) * Math.sqrt(Math.min(1, (2 * Math.abs(1 - margin)) / nu))
  const reach = Math.min(300, shape * Math.abs(margin - 1 - Math.log(margin)) + 1)
  const x = pick(between(-1.5, 1.5) * reach, -shape * Math.log(margin) + pick(-1, 1) * decades(1e-8, 10))
  return {
    S: 100,
    K: 100 * Math.exp(-Math.max(-300, Math.min(300, x))),
    T,
    r: 0,
    sigma,
    theta_vg: (1 - margin) / nu - sigma ** 2 / 2,
    nu,
    q: 0,
  }
}
const blackScholes = () => ({
  spot: 100,
  strike: pick(100, 100 * (1 + decades(1e-15, 1)), decades(1e-300, 1e300)),
  risk_free_rate: pick(0.05, -1, decades(1e-10, 100)),
  volatility: pick(0, decades(1e-200, 10)),
  time_to_maturity: decades(1e-200, 1e3),
  dividend_yield: pick(0, 0.05),
  option_type: pick('call', 'put'),
})
/** Rates that are close or below 0, which take the most nodes or have two boundaries, and much drift. */
const american = () => {
  const rate = pick(between(0, 0.1), -decades(1e-4, 0.2))
  return {
    spot: 100,
    strike: 100 * decades(0.7, 1.4),
    risk_free_rate: rate,
    dividend_yield: pick(rate * (1 + pick(-1, 1) * decades(1e-6, 0.3)), between(-0.1, 0.1), 0),
    volatility: decades(0.01, 1),
    time_to_maturity: decades(1e-2, 30),
    option_type: pick('call', 'put'),
  }
}
/** An option with so much drift that the longest horizon cannot be solved, but shorter ones can. */
const steep = () => {
  const dividend_yield = -decades(0.1, 2)
  const rates = { dividend_yield, risk_free_rate: dividend_yield * between(0, 1) }
  return { ...american(), ...rates, volatility: decades(0.003, 0.03) }
}
/** A price at its upper bound but for rates so small, or a strike of so little worth, that only long integers tell on which side. */
const atBound = () => ({
  price: 1e300,
  spot: 1e300,
  strike: decades(1e-300, 1e300),
  risk_free_rate: between(-1_400, 1_480),
  dividend_yield: pick(-1, 0, 1) * decades(1e-320, 1e-20),
  time_to_maturity: 1,
  option_type: 'call',
})
/** The numbers of the example of an operation, each varied; for operations without a search of their own. */
export const nearExample = ({ example }: Operation) =>
  Object.fromEntries(
    Object.entries(example.input).map(([name, value]) => [
      name,
      typeof value === 'number' ? value * decades(0.5, 2) : value,
    ]),
  )
const sparseRows = (rows: number, columns: number) =>
  list(rows, (row) => row).map((row) => list(columns, (column) => (column % rows === row ? column : 0)))
const noise = (rows: number, columns: number) =>
  list(rows, (row) => row).map(() => list(columns, () => randomFraction(random)))

/** A forest that is kept, and rows to score. */
const keptForest = () => {
  const X = noise(pick(100, 1_000), pick(2, 20))
  const given = {
    X,
    n_trees: pick(1, 50),
    max_samples: pick(16, 256, 4_096),
    contamination: 0.1,
    random_state: 1,
    columns: pick(
      [],
      Array.from(X[0], (_, column) => `column ${column}`),
    ),
  }
  const { model } = isolationForestFitOperation.compute(given)
  const columns = pick([], given.columns.toReversed())
  return { model, X: X.slice(0, pick(1, 2_000)), attributions: pick(true, false), columns }
}

/** For each path, the number of inputs that are tried, and the function that draws one. */
export const searches: Readonly<Record<string, readonly [tries: number, draw: () => object]>> = {
  '/quantlib/models/variance-gamma/price': [200, varianceGamma],
  '/quantlib/models/variance-gamma/greeks': [
    30,
    () => ({ ...varianceGamma(), option_type: pick('call', 'put') }),
  ],
  '/quantlib/models/variance-gamma/calibrate': [
    8,
    () => {
      const volatility = decades(0.02, 1)
      const isWild = between(0, 1) < 0.4
      const quotes = list(pick(1, 3, 10), () => decades(1e-3, 30)).flatMap((T) =>
        list(pick(3, 15, 40), () => 100 * Math.exp(between(-2, 2) * volatility * Math.sqrt(T))).map((K) => ({
          K,
          T,
          option_type: 'call',
          weight: 1,
          implied_volatility: isWild ? decades(0.01, 3) : volatility * between(0.9, 1.1),
        })),
      )
      return { S: 100, r: 0.01, q: 0, quotes, per_maturity: between(0, 1) < 0.3 }
    },
  ],
  '/quantlib/pricing/american/price': [16, american],
  '/quantlib/pricing/american/boundary': [
    24,
    () => {
      const option = pick(american, steep)()
      const times = list(pick(3, 60), () => option.time_to_maturity * decades(1e-12, 1))
      return { ...option, times: times.sort((a, b) => a - b) }
    },
  ],
  '/quantlib/pricing/american/implied-volatility': [
    20,
    () => {
      const { volatility: _, ...option } = pick(american, steep)()
      const { spot, strike } = option
      const most = option.option_type === 'put' ? strike : spot
      const price = pick(
        Math.max(spot - strike, 0) + spot * decades(1e-6, 0.5),
        most * (1 - decades(1e-9, 0.5)),
        spot * decades(1e-140, 1e-6),
      )
      return { ...option, price }
    },
  ],
  '/quantlib/pricing/bs/price': [200, blackScholes],
  '/quantlib/pricing/bs/greeks': [200, blackScholes],
  '/quantlib/pricing/bs/implied-volatility': [
    200,
    () => {
      if (between(0, 1) < 0.3) return atBound()
      const isBeside = between(0, 1) < 0.5
      const strike = 100 * (1 + (isBeside ? decades(1e-15, 1e-8) : decades(1e-6, 10)))
      const price = isBeside ? decades(1e-16, 1e-6) : decades(1e-12, 50)
      const rates = { risk_free_rate: 0, dividend_yield: 0, time_to_maturity: decades(1e-3, 30) }
      return { price, spot: 100, strike, ...rates, option_type: 'call' }
    },
  ],
  '/quantlib/numerical/differentiation/derivative': [
    200,
    () => ({ func_name: pick('tan', 'exp', 'log'), x: decades(1, 600), h: 1e-3, method: 'central' }),
  ],
  '/quantlib/economics/utility/log': [200, () => ({ wealth: decades(1e-300, 1e300) })],
  '/quantlib/physics/entropy/shannon': [
    6,
    () => ({ probabilities: list(30_000, () => 1 / 30_000), base: pick(2, Math.E) }),
  ],
  '/quantlib/ml/credit/discrimination': [
    6,
    () => ({
      y_true: list(30_000, (i) => i % 2),
      y_score: list(30_000, () => between(-1, 1) * decades(1e-9, 1e9)),
    }),
  ],
  '/quantlib/ml/credit/validation': [
    6,
    () => ({
      y_true: list(30_000, (i) => i % 2),
      y_prob: list(30_000, () => randomFraction(random) ** pick(1, 40)),
      weights: list(pick(0, 30_000), () => between(1, 2)),
      n_bins: pick(10, 1_000),
      confidence: 0.95,
    }),
  ],
  '/quantlib/ml/credit/stability': [
    6,
    () => ({
      expected: list(30_000, () => between(-1, 1) * decades(1e-9, 1e9)),
      actual: list(30_000, () => between(-1, 1) * decades(1e-9, 1e9)),
      edges: [],
      n_bins: pick(1, 10, 1_000),
      expected_y_true: list(30_000, (i) => i % 2),
      actual_y_true: list(30_000, (i) => i % 2),
      monotone: pick(false, true),
      expected_weights: list(pick(0, 30_000), () => between(1, 2)),
      actual_weights: list(pick(0, 30_000), () => between(1, 2)),
    }),
  ],
  '/quantlib/ml/credit/rating-history': [
    12,
    () => {
      const rows = 30_000
      const [issuers, days] = [pick(1, 100, rows), pick(10, 10_000)]
      const dates = Array.from({ length: days }, (_, day) => new Date(864e5 * (9_000 + day)).toISOString())
      return {
        entities: list(rows, (row) => row % issuers),
        dates: list(rows, () => 0).map(() => dates[Math.floor(between(0, days))].slice(0, 10)),
        times: [],
        ratings: list(rows, () => 0).map(() => pick('A', 'B', 'C', 'NR')),
        order: ['A', 'B', 'C', 'D'],
        start: dates[0].slice(0, 10),
        end: dates[days - 1].slice(0, 10),
        method: pick('cohort', 'duration'),
        period: pick(1 / 365, 1),
        withdrawn: ['NR'],
      }
    },
  ],
  '/quantlib/ml/preprocessing/outliers': [
    24,
    () => ({
      X: pick(noise(30_000, 1), noise(100, 1_000), noise(1, 10_000), sparseRows(300, 300)),
      method: pick('zscore', 'iqr', 'mad'),
      threshold: 3,
    }),
  ],
  '/quantlib/ml/credit/migration': [
    6,
    () => {
      const size = pick(2, 60, 200)
      // Probabilities whose products are below the normal doubles, or usual ones.
      const next = pick(1, 1e-160)
      return {
        transitions: noise(size, 1).map((_, i) => list(size, (j) => (j > i ? next : 1) * between(1, 2))),
        periods: 10_000,
      }
    },
  ],
  '/quantlib/ml/credit/migration-generator': [
    4,
    () => {
      const size = pick(2, 30)
      const drawn = noise(size, size).map((row, i) =>
        row.map((value, j) => (i === j ? value * size * 10 : value)),
      )
      // Most stays in its rating, or leaves it.
      const transitions = [...pick(drawn.slice(0, -1), drawn.slice(1)), list(size, () => 0)]
      const method = pick('logarithm', 'duration')
      const exposures = method === 'duration' ? list(size, () => decades(1e-9, 1)) : []
      const given = { transitions, exposures, method, times: list(pick(1, 100), () => decades(1e-3, 1e4)) }
      // Draws of single borrowers.
      return size === 2 && pick(true, false)
        ? { ...given, transitions: [[decades(1e3, 1e6), 1e3].map(Math.ceil), [0, 0]], bootstrap_samples: 100 }
        : given
    },
  ],
  '/quantlib/ml/clustering/isolation-forest/fit': [
    4,
    () => ({
      X: pick(noise(1_000, 10), sparseRows(100, 1_000), noise(1_500, 2)),
      n_trees: pick(1, 50),
      max_samples: pick(2, 256, 4_096),
      contamination: 0.1,
      random_state: 1,
      columns: [],
    }),
  ],
  '/quantlib/ml/clustering/isolation-forest/score': [4, keptForest],
  '/quantlib/ml/clustering/isolation-forest': [
    6,
    () => ({
      X: pick(noise(1_000, 10), sparseRows(100, 1_000), sparseRows(256, 500)),
      n_trees: 50,
      contamination: 0.1,
      random_state: 1,
    }),
  ],
}

/** Varies one number of an input, or the numbers of one of its lists. */
export function mutated(input: object): object {
  const fields = Object.entries(input).filter(([, value]) => typeof value === 'number' && value !== 0)
  if (fields.length === 0) return input
  const [name, value] = pick(...fields)
  const isWhole = Number.isInteger(value) && /^(n_|max_|periods|random|bootstrap)/.test(name)
  return isWhole ? input : { ...input, [name]: value * (1 + pick(-1, 1) * decades(1e-6, 0.9)) }
}

const counts = (size: number, count: (row: number, column: number) => number) =>
  list(size, (row) => row).map((row) => list(size, (column) => (row === size - 1 ? 0 : count(row, column))))
const whole = (most: number) => Math.floor(between(0, most))

/** For some paths, inputs of the largest sizes. */
export const largest: Readonly<Record<string, () => object[]>> = {
  '/quantlib/models/variance-gamma/calibrate': () =>
    [1, 20, 666, 2_000].flatMap((maturities) =>
      [0.01, 0.3, 3].map((noise) => {
        const times = list(maturities, () => decades(1e-2, 3))
        const quotes = list(2_000, (i) => i).map((i) => ({
          K: 100 * Math.exp(between(-0.3, 0.3) * Math.sqrt(times[i % maturities])),
          T: times[i % maturities],
          option_type: 'call',
          weight: 1,
          implied_volatility: 0.2 * decades(1 / (1 + noise), 1 + noise),
        }))
        return { S: 100, r: 0.01, q: 0, quotes, per_maturity: maturities === 666 }
      }),
    ),
  '/quantlib/ml/credit/discrimination': () => [
    {
      y_true: list(500_000, (i) => i % 2),
      y_score: list(500_000, () => between(-1, 1) * decades(1e-9, 1e9)),
    },
  ],
  '/quantlib/ml/credit/validation': () =>
    [0, 333_333].map((weights) => ({
      y_true: list(333_333, (i) => i % 2),
      y_prob: list(333_333, () => between(0, 1)),
      weights: list(weights, () => between(1, 2)),
      n_bins: 1_000,
      confidence: 0.95,
    })),
  '/quantlib/ml/preprocessing/outliers': () =>
    (['zscore', 'iqr', 'mad'] as const).flatMap((method) =>
      [noise(1_000_000, 1), noise(100, 10_000), noise(1_000, 1_000)].map((X) => ({
        X,
        method,
        threshold: 3,
      })),
    ),
  '/quantlib/physics/entropy/shannon': () => [
    { probabilities: list(1_000_000, () => 1e-6), base: Math.E },
    { probabilities: list(1_000_000, (i) => (i === 0 ? 1 : 1e-310)), base: 1.0001 },
  ],
  '/quantlib/ml/credit/migration': () =>
    [1, 1e-160, 1e-300].map((next) => ({
      transitions: noise(200, 1).map((_, i) => list(200, (j) => (j > i ? next : 1) * between(1, 2))),
      periods: 9_999,
    })),
  '/quantlib/ml/credit/migration-generator': () => {
    const given = {
      exposures: [],
      method: 'logarithm',
      bootstrap_samples: 0,
      confidence: 0.95,
      random_state: 1,
    }
    const durations = (size: number) => ({
      method: 'duration',
      exposures: list(size, () => decades(1e-3, 1e3)),
    })
    const times = [1, 2, 3, 5, 7, 9_999]
    const kept = (own: number) => (row: number, column: number) => (row === column ? own : whole(100))
    const chain = (row: number, column: number) =>
      column === row || column === row + 1 ? 1_000 + whole(9) : 0
    const tiny = (row: number, column: number) =>
      row === column ? 1 : column > row ? 1e-250 : column === row - 1 ? 0.01 : 0
    const single = [kept(30_000), kept(9_000), chain, tiny].flatMap((count) => [
      { ...given, transitions: counts(200, count), times },
      { ...given, ...durations(200), transitions: counts(200, count), times },
    ])
    const sampled = [8, 20, 60].flatMap((size) =>
      [kept(120 * size), kept(20 * size), chain].flatMap((count) => {
        const samples = Math.floor(500_000 / size ** 2)
        const more = { ...given, transitions: counts(size, count), times, bootstrap_samples: samples }
        return [more, { ...more, ...durations(size) }]
      }),
    )
    const many = list(1_000, () => decades(1e-3, 1e4))
    return [...single, ...sampled, { ...given, transitions: counts(200, kept(30_000)), times: many }]
  },
  '/quantlib/ml/clustering/isolation-forest': () =>
    [noise(20_000, 2), noise(2_000, 200), sparseRows(1_000, 1_000), sparseRows(256, 3_000)].map((X) => ({
      X,
      n_trees: 300,
      contamination: 0.1,
      random_state: 1,
    })),
  '/quantlib/ml/clustering/isolation-forest/fit': () =>
    [noise(20_000, 2), sparseRows(1_000, 1_000), sparseRows(256, 3_000)].map((X) => ({
      X,
      n_trees: 100,
      max_samples: 4_096,
      contamination: 0.1,
      random_state: 1,
      columns: [],
    })),
}
