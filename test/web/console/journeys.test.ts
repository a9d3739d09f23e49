/** The computations that can take over the inputs of a page, by the declarations of all operations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forms } from '../../../src/derive/forms.ts'
import { sources } from '../../../src/derive/sources.ts'
import { NO_TABLE, type TableEntry, type TableSpec } from '../../../src/web/console/data/shapes.ts'
import { journeysFrom } from '../../../src/web/console/journeys.ts'
import type { Operation, Values } from '../../../src/web/console/operation.ts'
import { OPTION } from '../../support/option.ts'

const all = forms(sources)
const formOf = (path: string) => all.find((form) => form.path === `/quantlib/${path}`)!

const labels = (fields: readonly string[]): TableSpec => ({ kind: 'columns', fields: ['y_true', ...fields] })
const X: TableSpec = { kind: 'matrix', field: 'X' }
const SPECS: Readonly<Record<string, TableSpec>> = {
  'ml/credit/discrimination': labels(['y_score']),
  'ml/credit/validation': labels(['y_prob', 'weights']),
  'ml/credit/stability': {
    kind: 'samples',
    fields: ['expected', 'actual', 'expected_y_true', 'actual_y_true'],
  },
  'ml/preprocessing/outliers': X,
  'ml/clustering/isolation-forest': X,
}
const operationOf = ({ path }: { path: string }) =>
  ({ table: SPECS[path.replace('/quantlib/', '')] ?? null }) as unknown as Operation

interface Departing {
  readonly sent?: Values
  readonly data?: Values | null
  readonly table?: TableEntry
}

const journeys = (path: string, { sent = {}, data = null, table = NO_TABLE }: Departing = {}) =>
  journeysFrom(
    { form: formOf(path), spec: SPECS[path] ?? null, sent, data, table, isExample: false },
    all,
    operationOf,
  )

/** What the page of another operation gets. */
const givenTo = (to: string, from: string, departing: Departing): Values | undefined =>
  journeys(from, departing).find(({ form }) => form === formOf(to))?.load?.given

const option = { ...OPTION, spot: 110, option_type: 'call' }

test('a price leads to all that takes its inputs, first to what lacks none', () => {
  const titles = journeys('pricing/bs/price', { sent: option, data: { price: 14 } }).map(
    ({ form }) => form.title,
  )
  assert.deepEqual(titles.slice(0, 2), ['Black–Scholes Greeks', 'Black–Scholes implied volatility'])
  for (const title of ['American price', 'Forward option price']) assert.ok(titles.includes(title), title)
  for (const title of [
    'Logarithmic utility',
    'Variance Gamma price',
    'Variance Gamma calibration',
    'Outlier detection',
  ])
    assert.ok(!titles.includes(title), title)
})

test('a computed number is the input of what requires it', () => {
  const from = { sent: option, data: { price: 14, option_type: 'call' } }
  const { volatility: _, ...others } = option
  assert.deepEqual(givenTo('pricing/bs/implied-volatility', 'pricing/bs/price', from), {
    ...others,
    price: 14,
  })
  const back = { sent: { ...others, price: 14 }, data: { implied_volatility: 0.2 } }
  assert.deepEqual(givenTo('pricing/bs/price', 'pricing/bs/implied-volatility', back), option)
})

test('fields of other names but the same words take over a value, those of other words do not', () => {
  const variance = { S: 100, K: 105, T: 1, r: 0.05, sigma: 0.2, theta_vg: -0.1, nu: 0.2 }
  assert.deepEqual(givenTo('pricing/bs/price', 'models/variance-gamma/price', { sent: variance }), {
    spot: 100,
    strike: 105,
    risk_free_rate: 0.05,
    time_to_maturity: 1,
  })
})

test('a volatility in the unit of the forward price is not taken for a rate', () => {
  const forward = { forward: 100, strike: 105, risk_free_rate: 0.05, volatility: 5, time_to_maturity: 1 }
  const from = { sent: { ...forward, model: 'bachelier' } }
  assert.equal(givenTo('pricing/forward/greeks', 'pricing/forward/price', from)?.volatility, 5)
  for (const { load } of journeys('pricing/forward/price', from))
    assert.ok(!('volatility' in load!.given) || load!.given.model === 'bachelier')
})

test('a table goes to the computations of the same columns, or of the same matrix', () => {
  const to = (path: string) => journeys(path, { table: NO_TABLE }).map(({ form }) => form.title)
  assert.deepEqual(to('ml/credit/discrimination'), ['Credit validation', 'Score stability'])
  assert.deepEqual(to('ml/preprocessing/outliers'), ['Isolation forest'])
})
