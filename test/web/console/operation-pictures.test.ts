/**
 * Every picture of every operation has the numbers of the answer, whatever the data: ties, constants, negative numbers, one
 * row.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { validator } from '../../../src/compute/body/validate.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { finiteDifference } from '../../../src/numerics/derivative.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { writeModel } from '../../../src/numerics/forest/forest-model.ts'
import { isolationForest } from '../../../src/numerics/forest/isolation-forest.ts'
import { flatten } from '../../../src/numerics/matrices/matrix.ts'
import { blackScholes } from '../../../src/web/console/kernels/options.ts'
import { type Part, pageOf } from './drawn-pictures.ts'
import { between, varianceGamma } from './option-inputs.ts'

// biome-ignore lint/suspicious/noExplicitAny: requests, replies and pictures of all operations
type Any = any

interface Drawn {
  readonly body: Any
  readonly reply: Any
  readonly charts: readonly Any[]
  /** The properties of the first component of a name, or of the first chart whose title begins so. */
  part(name: string): Any
  chart(title: string): Any
}

interface Case {
  readonly bodies: fc.Arbitrary<object>
  readonly runs: number
  check(drawn: Drawn): void
}

const close = (found: number, wanted: number, what: string, tolerance = 1e-12) =>
  assert.ok(
    Math.abs(found - wanted) <= tolerance * Math.max(1, Math.abs(wanted)),
    `${what}: ${found}, not ${wanted}`,
  )
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const layersOf = (chart: Any, kind: string): Any[] =>
  (chart.layers ?? []).filter((layer: Any) => layer.kind === kind).map(({ given }: Any) => given)

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  between(-1e3, 1e3),
  fc.constantFrom(0, 1e-300, -5, 1e9, -1e9),
)
const listOf = <One>(one: fc.Arbitrary<One>, maxLength: number, minLength = 1) =>
  fc.array(one, { minLength, maxLength })
/** Rows of numbers, also one row, and also all the same. */
const matrix = fc.integer({ min: 1, max: 3 }).chain((columns) => {
  const row = listOf(value, columns, columns)
  return fc.oneof(
    listOf(row, 40),
    fc.tuple(row, fc.integer({ min: 1, max: 30 })).map(([one, rows]) => Array(rows).fill(one)),
  )
})
const option_type = fc.constantFrom('call', 'put')
const market = {
  strike: between(50, 150),
  risk_free_rate: between(-0.02, 0.1),
  time_to_maturity: between(0.05, 3),
  option_type,
}
const onSpot = { ...market, spot: between(50, 150), dividend_yield: between(0, 0.08) }
const volatility = between(0.05, 0.8)
const withPrice = { price: between(0.5, 40) }
const onForward = (others: object) =>
  fc.oneof(
    fc.record({ ...market, forward: between(50, 150), model: fc.constant('black_76'), ...others }),
    fc.record({
      ...market,
      strike: between(-50, 50),
      forward: between(-50, 50),
      model: fc.constant('bachelier'),
      ...others,
    }),
  )
const counts = (most: number) =>
  fc.integer({ min: 2, max: 5 }).chain((size) => listOf(listOf(fc.nat(most), size, size), size, size))
/** Scores of both classes, with ties. */
const scored = (score: fc.Arbitrary<number>) =>
  fc
    .tuple(fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), score), { maxLength: 60 }), score, score)
    .map(([rows, good, bad]) => [...rows, [0, good], [1, bad]] as [number, number][])
const columnsOf = (rows: [number, number][]) =>
  [rows.map(([label]) => label), rows.map(([, score]) => score)] as const

/** The point of a curve is at the input, has the number of the answer, and lies on the curve. */
function checkPoint(chart: Any, at: number, wanted: number, what: string) {
  const [[x, y]] = layersOf(chart, 'point')
  assert.deepEqual([x, y], [at, wanted], what)
  assert.equal(chart.lines[0].y[chart.x.indexOf(at)], wanted, `${what} on its curve`)
}

const AXES = [
  ['spot', 'spot'],
  ['volatility', 'volatility'],
  ['maturity', 'time_to_maturity'],
  ['strike', 'strike'],
] as const

/** A page of prices. `fields`: those that differ from the usual names. */
const priced = (
  bodies: fc.Arbitrary<object>,
  runs: number,
  name = 'price',
  fields: Record<string, string> = {},
): Case => ({
  bodies,
  runs,
  check({ body, reply, charts, part }) {
    for (const [i, [axis, field]] of AXES.entries())
      checkPoint(charts[i], body[fields[axis] ?? field], reply[name], `price against ${axis}`)
    if (body.model !== 'bachelier') assert.equal(part('Cells').grid.base, reply[name])
  },
})

/** A page of Greeks: a curve of each number. */
const greeks = (
  bodies: fc.Arbitrary<object>,
  runs: number,
  spot: string,
  names: readonly string[],
): Case => ({
  bodies,
  runs,
  check({ body, reply, charts }) {
    const drawn = charts.filter(({ handle }) => handle !== undefined)
    for (const [i, name] of names.entries())
      if (name in reply) checkPoint(drawn[i], body[spot], reply[name], name)
  },
})

/** The picture of an implied volatility: the curve of the price meets the given price there. */
const implied = (bodies: fc.Arbitrary<object>, runs: number): Case => ({
  bodies,
  runs,
  check({ body, reply, charts: [chart] }) {
    const [[at, price]] = layersOf(chart, 'point')
    assert.equal(at, reply.implied_volatility)
    close(price, body.price, 'price at the implied volatility', 1e-9)
    assert.equal(chart.lines[0].y[chart.x.indexOf(at)], price)
  },
})

const areaBelow = ({ x, lines: [{ y }] }: Any) =>
  sum(x.slice(1).map((at: number, i: number) => ((at - x[i]) * (y[i] + y[i + 1])) / 2))

/** Checks that the bars up to each edge add up to the number of values there; a value on the edge may be on either side. */
function checkBars(edges: number[], bars: number[], values: readonly number[], what: string) {
  let below = 0
  for (const [i, bar] of bars.entries()) {
    below += bar
    const upTo = (end: number) => values.filter((one) => one <= end).length
    const edge = edges[i + 1]
    const room = 1e-9 * Math.max(1, Math.abs(edge), edges.at(-1)! - edges[0])
    assert.ok(below >= upTo(edge - room) && below <= upTo(edge + room), `${what} up to ${edge}`)
  }
  assert.equal(below, values.length, what)
}

/** The bars of scores, and of those the bars of anomalies, are those of the answer. */
function checkScores(
  { body, chart, charts }: Drawn,
  { anomaly_scores: scores, predictions }: Any,
  threshold?: number,
) {
  const histogram = chart('Anomaly scores')
  const [[edges, all], [, normal]] = layersOf(histogram, 'bars')
  checkBars(edges, all, scores, 'rows')
  const isNormal = (_: number, row: number) => predictions[row] === 1
  checkBars(edges, normal, scores.filter(isNormal), 'normal rows')
  const [line] = layersOf(histogram, 'vertical')
  if (threshold !== undefined) assert.equal(line?.[0] ?? 1, threshold)
  if (body.X[0].length === 1) return
  const [[xs, ys, { color }]] = layersOf(charts[1], 'dots')
  assert.deepEqual(
    [xs, ys],
    [0, 1].map((column) => body.X.map((row: number[]) => row[column])),
  )
  assert.deepEqual(
    xs.map((_: number, row: number) => color(row) === 'second'),
    predictions.map((one: number) => one === -1),
  )
}

const forest = {
  n_trees: fc.integer({ min: 1, max: 6 }),
  contamination: between(0, 0.5),
  random_state: fc.nat(9),
}

const functions = { exp: Math.exp, sin: Math.cos, x2: (x: number) => 2 * x }

const GREEKS = ['price', 'delta', 'gamma', 'vega', 'theta', 'rho']

const cases: Record<string, Case> = {
  '/quantlib/pricing/bs/price': priced(fc.record({ ...onSpot, volatility }), 20),
  '/quantlib/pricing/bs/greeks': greeks(fc.record({ ...onSpot, volatility }), 20, 'spot', GREEKS),
  '/quantlib/pricing/bs/implied-volatility': implied(fc.record({ ...onSpot, ...withPrice }), 20),
  '/quantlib/pricing/american/price': priced(fc.record({ ...onSpot, volatility }), 3),
  '/quantlib/pricing/american/implied-volatility': implied(fc.record({ ...onSpot, ...withPrice }), 6),
  '/quantlib/pricing/american/boundary': {
    bodies: fc.record({ ...onSpot, volatility, times: listOf(between(0, 0.05), 4) }),
    runs: 5,
    check({ body, reply, chart }) {
      const { range } = chart('Exercise boundary')
      assert.ok(range.x[0] < 0 && range.x[1] > body.time_to_maturity, 'no point is on the frame')
      const drawn = layersOf(chart('Exercise boundary'), 'point').map(([time, price]) => [time, price])
      assert.deepEqual(
        drawn,
        body.times.flatMap((time: number, i: number) =>
          reply.critical_prices[i].map((price: number) => [time, price]),
        ),
      )
    },
  },
  '/quantlib/pricing/forward/price': priced(onForward({ volatility: between(0.05, 1) }), 20, 'price', {
    spot: 'forward',
  }),
  '/quantlib/pricing/forward/greeks': greeks(
    onForward({ volatility: between(0.05, 1) }),
    20,
    'forward',
    GREEKS,
  ),
  '/quantlib/pricing/forward/implied-volatility': implied(onForward(withPrice), 20),
  '/quantlib/models/variance-gamma/price': priced(fc.record(varianceGamma), 3, 'vg_call_price', {
    spot: 'S',
    volatility: 'sigma',
    maturity: 'T',
    strike: 'K',
  }),
  '/quantlib/models/variance-gamma/greeks': greeks(fc.record({ ...varianceGamma, option_type }), 2, 'S', [
    'price',
    'delta',
    'gamma',
    'd_sigma',
    'd_theta_vg',
    'd_nu',
    'theta',
    'rho',
  ]),
  '/quantlib/models/variance-gamma/calibrate': {
    bodies: fc.record({
      S: fc.constant(100),
      r: between(0, 0.05),
      q: between(0, 0.03),
      quotes: listOf(
        fc.record({
          K: between(85, 115),
          T: fc.constantFrom(0.5, 1),
          implied_volatility: between(0.15, 0.25),
        }),
        8,
        3,
      ),
      per_maturity: fc.boolean(),
    }),
    runs: 3,
    check({ body, charts, reply, chart }) {
      const ordered = [...new Set(body.quotes.map(({ T }: Any) => T))]
        .sort()
        .flatMap((maturity) =>
          body.quotes.flatMap((quote: Any, i: number) =>
            quote.T === maturity ? [{ ...quote, residual: reply.residuals[i] }] : [],
          ),
        )
      const errors = layersOf(chart('Residuals, one fit'), 'dots').flatMap(([x, y]) =>
        x.map((at: number, i: number) => [at, y[i]]),
      )
      // A residual in basis points of volatility changes the price of its quote by the residual of the reply.
      for (const [i, { K, T, implied_volatility: quoted, residual }] of ordered.entries()) {
        const [at, points] = errors[i]
        assert.equal(at, K)
        const price = (volatility: number) =>
          blackScholes.price({
            spot: body.S,
            strike: K,
            risk_free_rate: body.r,
            dividend_yield: body.q,
            volatility,
            time_to_maturity: T,
            option_type: 'put',
          })
        close(price(quoted + points / 1e4) - price(quoted), residual, 'residual', 1e-7)
      }
      for (const fit of ['one fit', 'a fit to each'])
        assert.equal(
          charts.filter(({ title }: Any) => title.includes(fit)).length,
          fit === 'one fit' || reply.maturities?.some(({ sigma }: Any) => sigma !== undefined) ? 2 : 0,
        )
      const quoted = layersOf(chart('Implied volatility, one fit'), 'dots').flatMap(([x, y]) =>
        x.map((at: number, i: number) => [at, y[i]]),
      )
      const given = body.quotes.map(({ K, implied_volatility: one }: Any) => [K, one])
      assert.deepEqual(quoted.sort(), given.sort())
    },
  },
  '/quantlib/numerical/differentiation/derivative': {
    bodies: fc.record({
      func_name: fc.constantFrom(...Object.keys(functions)),
      x: between(-3, 3),
      h: between(1e-6, 0.5),
      method: fc.constantFrom('central', 'forward', 'backward'),
    }),
    runs: 30,
    check({ body: { func_name, x, h, method }, reply, charts: [errors, slopes] }) {
      const exact = functions[func_name as keyof typeof functions](x)
      assert.deepEqual(layersOf(errors, 'point')[0].slice(0, 2), [
        h,
        Math.abs(reply.derivative - exact) || 1e-18,
      ])
      const place = errors.x.findIndex((step: number) => step > 1e-6)
      const found = finiteDifference(func_name, x, errors.x[place], method)
      const line = errors.lines[['central', 'forward', 'backward'].indexOf(method)]
      assert.equal(line.y[place], Math.abs(found - exact) || Number.NaN)
      const [[from, start], [to, end]] = [0, -1].map((i) => [slopes.x.at(i), slopes.lines[1].y.at(i)])
      close((end - start) / (to - from), reply.derivative, 'slope', 1e-9)
    },
  },
  '/quantlib/economics/utility/log': {
    bodies: fc.record({ wealth: between(1e-3, 1e6) }),
    runs: 30,
    check({ body: { wealth }, reply, charts: [chart] }) {
      assert.deepEqual(layersOf(chart, 'point')[0].slice(0, 2), [wealth, reply.utility])
      const [[from, start], [to, end]] = [0, -1].map((i) => [chart.x.at(i), chart.lines[1].y.at(i)])
      close((end - start) / (to - from), reply.marginal_utility, 'slope of the tangent', 1e-9)
    },
  },
  '/quantlib/physics/entropy/shannon': {
    bodies: fc.record({
      probabilities: listOf(fc.integer({ min: 0, max: 5 }), 40).map((parts) => {
        const whole = sum(parts)
        return whole === 0 ? [1] : parts.map((part) => part / whole)
      }),
      base: fc.constantFrom(2, Math.E, 10, 0.5),
    }),
    runs: 50,
    check({ body, reply, chart }) {
      assert.deepEqual(layersOf(chart('Probabilities'), 'bars')[0][1], body.probabilities)
      const contributions = chart('Contribution')
      const [[, parts]] = layersOf(contributions, 'bars')
      close(sum(parts), reply.shannon_entropy, 'sum of the contributions')
      const [low, high] = contributions.range.y
      assert.ok(parts.every((part: number) => part >= low && part <= high))
    },
  },
  '/quantlib/ml/preprocessing/outliers': {
    bodies: fc.record({
      X: matrix,
      method: fc.constantFrom('zscore', 'iqr', 'mad'),
      threshold: between(0.1, 4),
    }),
    runs: 100,
    check({ body: { X }, reply, part }) {
      const { flagged, model } = part('Strips')
      assert.equal(flagged, reply.outlier_indices.length)
      for (const [i, { beyond, counts, edges, inside }] of model.columns.entries()) {
        checkBars(
          edges,
          counts,
          X.map((row: number[]) => row[i]),
          'strip',
        )
        assert.equal(beyond.length + inside.length, X.length)
        const flaggedValues = reply.outlier_indices.map((row: number) => X[row][i])
        assert.ok(
          beyond.every((one: number) => flaggedValues.includes(one)),
          'a dot beyond is of an outlier',
        )
      }
    },
  },
  '/quantlib/ml/clustering/isolation-forest': {
    bodies: fc.record({ X: matrix, ...forest }),
    runs: 40,
    check: (drawn) => checkScores(drawn, drawn.reply, drawn.reply.threshold),
  },
  '/quantlib/ml/clustering/isolation-forest/fit': {
    bodies: fc.record({ X: matrix, ...forest, max_samples: fc.integer({ min: 2, max: 32 }) }),
    runs: 40,
    check(drawn) {
      const { body, reply } = drawn
      const scores = answerOf('/quantlib/ml/clustering/isolation-forest/score', {
        model: reply.model,
        X: body.X,
      })
      checkScores(drawn, scores, reply.threshold)
    },
  },
  '/quantlib/ml/clustering/isolation-forest/score': {
    bodies: fc.tuple(matrix, fc.record(forest), fc.boolean()).map(([X, given, attributions]) => {
      const options = { trees: given.n_trees, contamination: given.contamination, seed: given.random_state }
      return {
        X,
        attributions,
        model: writeModel({ ...isolationForest(flatten(X, 'X'), options), names: [] }),
      }
    }),
    runs: 40,
    check(drawn) {
      const { body, reply, charts } = drawn
      checkScores(drawn, reply)
      if (!body.attributions) return
      const [own, mean] = layersOf(charts.at(-1), 'pairedBars')[0]
      const most = reply.anomaly_scores.indexOf(Math.max(...reply.anomaly_scores))
      assert.deepEqual(own, reply.attributions[most])
      for (const [column, one] of mean.entries())
        close(
          one,
          sum(reply.attributions.map((row: number[]) => row[column])) / body.X.length,
          'mean attribution',
        )
    },
  },
  '/quantlib/ml/credit/discrimination': {
    bodies: scored(value).map((rows) => {
      const [y_true, y_score] = columnsOf(rows)
      return { y_true, y_score }
    }),
    runs: 100,
    check({ reply, charts: [roc, shares] }) {
      close(areaBelow(roc), reply.auc_roc, 'drawn area')
      const [[, from, to]] = layersOf(shares, 'upright')
      close(Math.abs(from - to), reply.ks_statistic, 'bar of KS', 1e-15)
    },
  },
  '/quantlib/ml/credit/validation': {
    bodies: fc
      .tuple(
        scored(fc.oneof(between(0, 1), fc.constantFrom(0, 0.5, 1))),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(3),
      )
      .map(([rows, n_bins, weighted]) => {
        const [y_true, y_prob] = columnsOf(rows)
        return {
          y_true,
          y_prob,
          n_bins,
          ...(weighted > 0 && { weights: rows.map((_, i) => 1 + (i % weighted)) }),
        }
      }),
    runs: 100,
    check({ body, reply: { bins, ...reply }, chart }) {
      close(areaBelow(chart('ROC')), reply.auc_roc, 'drawn area')
      const [, ...vertices] = chart('ROC').numbers()
      assert.equal(vertices.length, 1 + new Set(body.y_prob).size, 'the file has every score')
      const { x, lines } = chart('Reliability')
      const drawn = x.slice(1, -1).map((at: number, i: number) => [at, lines[0].y[i + 1]])
      assert.deepEqual(
        drawn,
        bins.map((bin: Any) => [bin.mean_probability, bin.observed_rate]),
      )
    },
  },
  '/quantlib/ml/credit/stability': {
    bodies: fc
      .tuple(scored(value), scored(value), fc.integer({ min: 1, max: 6 }), fc.boolean(), fc.boolean())
      .map(([one, other, n_bins, monotone, labelled]) => {
        const [[expected_y_true, expected], [actual_y_true, actual]] = [columnsOf(one), columnsOf(other)]
        return { expected, actual, n_bins, ...(labelled && { expected_y_true, actual_y_true, monotone }) }
      }),
    runs: 60,
    check({ reply: { bins, psi, information_value }, charts, chart }) {
      const all = (name: string) => bins.map((bin: Any) => bin[name])
      const [pairs] = layersOf(chart('Shares'), 'pairedBars')
      assert.deepEqual(pairs.slice(0, 2), [all('expected_share'), all('actual_share')])
      const [[, parts]] = layersOf(chart('PSI'), 'bars')
      assert.deepEqual(parts, all('contribution'))
      close(sum(parts), psi, 'sum of the bars')
      assert.equal(charts.length, information_value ? 3 : 2)
      for (const [i, name] of ['expected', 'actual'].entries())
        if (information_value)
          assert.deepEqual(
            chart('Weight').lines[i].y,
            all('weight_of_evidence').map((one: Any) => one[name]),
          )
    },
  },
  '/quantlib/ml/credit/migration': {
    bodies: fc.record({ transitions: counts(9), periods: fc.integer({ min: 1, max: 200 }) }),
    runs: 40,
    check({ reply: { multi_period_matrix: matrix }, part, charts: [chart] }) {
      assert.deepEqual(part('HeatMap').matrix, matrix)
      const last = matrix.length - 1
      for (const [i, { label, y }] of chart.lines.entries())
        assert.deepEqual([label, y.at(-1)], [String(i + 1), matrix[i][last]], 'it has no names')
    },
  },
  '/quantlib/ml/credit/migration-generator': {
    bodies: fc.record({
      transitions: counts(9).map((rows) =>
        rows.map((row, i) => row.map((n, j) => (i === j ? 99 : i === rows.length - 1 ? 0 : n))),
      ),
      times: listOf(between(0.1, 10), 3),
      bootstrap_samples: fc.constantFrom(0, 40),
    }),
    runs: 20,
    check({ body: { times }, reply, part, charts: [chart] }) {
      const off = (rows: number[][]) => rows.map((row, i) => row.map((rate, j) => (i === j ? 0 : rate)))
      assert.deepEqual(part('HeatMap').matrix, off(reply.generator))
      const longest = times.indexOf(Math.max(...times))
      for (const [i, { y }] of chart.lines.entries())
        close(y.at(-1), reply.default_probabilities[longest][i], 'default at the longest time')
      const { default_probabilities_lower: lower = [], default_probabilities_upper: upper } = reply
      assert.deepEqual(
        layersOf(chart, 'upright').map((given) => given.slice(0, 3)),
        lower.flatMap((row: number[], at: number) =>
          row.slice(0, -1).map((bound, rating) => [times[at], bound, upper[at][rating]]),
        ),
      )
    },
  },
}

/** The service's answer to a body, with defaults applied; null where the body is refused. */
function answerOf(path: string, body: object): Any {
  const { input, compute } = operations.find((operation) => operation.path === path)!
  try {
    return compute(validator(input).validate(structuredClone(body)) as never)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

/** The drawn marks, without functions. */
const plain = (given: unknown) =>
  JSON.parse(
    JSON.stringify(given, (_, one) => (ArrayBuffer.isView(one) ? Array.from(one as Float64Array) : one)),
  )

/** The visible part. */
const drawnOf = (parts: readonly Part[]) =>
  plain(
    parts
      .filter(({ name }) => ['Chart', 'HeatMap', 'Strips', 'Cells'].includes(name))
      .map(({ props }) => props),
  )

/** Places ascend, each line has a number or a gap at each, and ranges are intervals. */
function checkChart({ title, x = [], lines = [], range = {} }: Any, path: string) {
  const what = `${title} of ${path}`
  assert.ok(
    x.every((at: number, i: number) => Number.isFinite(at) && !(at < x[i - 1])),
    what,
  )
  for (const { y } of lines) {
    assert.equal(y.length, x.length, what)
    assert.ok(
      y.every((one: unknown) => one === null || (typeof one === 'number' && Math.abs(one) !== Infinity)),
      what,
    )
  }
  for (const [from, to] of Object.values<number[]>(range).filter((one) => one))
    assert.ok(from < to, `${what}: ${from} to ${to}`)
}

for (const { path, example } of operations) {
  const { bodies, runs, check } = cases[path] ?? {
    bodies: fc.constant(example.input),
    runs: 1,
    check: () => {},
  }
  const page = await pageOf(path)
  test(`the preview of ${path} is the answer, and its pictures have the numbers of the answer`, () => {
    let answered = 0
    const property = fc.property(bodies, (body) => {
      const reply = answerOf(path, body)
      const given = page.given(body)
      if (reply === null) return assert.throws(() => page.preview(given.values), DomainError.name)
      answered++
      const [preview, result] = [page.preview(given.values), page.resultOf(reply, given.values)]
      const common = Object.fromEntries(Object.keys(result).map((name) => [name, preview[name]]))
      assert.deepEqual(plain(common), plain(result))
      const parts: Part[] = page.parts(given, reply, result)
      assert.deepEqual(drawnOf(page.parts(given, {}, preview)), drawnOf(parts), 'drawn of the preview')
      for (const { name, value } of page.headline({ ...reply, ...result }, given.table))
        if (typeof reply[name] === 'number') assert.equal(value, reply[name], name)
      const charts = parts.filter(({ name }) => name === 'Chart').map(({ props }) => props)
      for (const chart of charts) checkChart(chart, path)
      const part = (name: string) => parts.find((one) => one.name === name)?.props
      const chart = (title: string) => charts.find((one) => one.title.startsWith(title))
      check({ body, reply, charts, part, chart })
    })
    // Chance may draw few that the service answers.
    for (let again = 0; answered < runs / 3; again++) {
      assert.ok(again < 20, `${answered} of ${runs} answered`)
      fc.assert(property, { numRuns: runs })
    }
  })
}

test('Greeks that do not exist at a kink of the payoff are left out', async () => {
  const page = await pageOf('/quantlib/pricing/american/implied-volatility')
  const kink = { price: 0, spot: 100, strike: 100, risk_free_rate: 0, time_to_maturity: 1 }
  const given = page.given(kink)
  const parts = page.parts(given, {}, page.preview(given.values))
  const { numbers } = parts.find(({ name }) => name === 'Numbers')!.props
  assert.deepEqual(
    numbers.map(({ name, value }: Any) => [name, value]),
    [
      ['price', 0],
      ['early_exercise_premium', 0],
    ],
  )
})
