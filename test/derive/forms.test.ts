/** The console's forms describe the input of each field of a computation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operation } from '../../src/compute/catalogue/operation.ts'
import {
  exactly,
  integer,
  matrix,
  number,
  oneOf,
  recordsOf,
  vector,
  withDefault,
} from '../../src/compute/catalogue/schema.ts'
import { forms } from '../../src/derive/forms.ts'
import { sources } from '../../src/derive/sources.ts'

const sample = operation({
  path: '/quantlib/ml/sample',
  title: 'Sample',
  summary: 'Every kind of field.',
  input: exactly({
    X: matrix('features'),
    weights: vector('weights'),
    method: withDefault(oneOf(['a', 'b'], 'method'), 'a'),
    rounds: withDefault(integer('rounds', 1, 9), 3),
    quotes: recordsOf({ K: number('strike'), w: withDefault(number('weight'), 1) }, 'quotes', 1, 9),
  }),
  output: exactly({ y: number('result') }),
  example: { input: { X: [[1]], weights: [0], quotes: [{ K: 2 }] }, output: { y: 0 } },
  work: () => 1,
  compute: () => ({ y: 0 }),
})

test('each computation has a form; account endpoints have none', () => {
  assert.deepEqual(
    forms(sources).map(({ path }) => path),
    sources.operations.map(({ path }) => path),
  )
})

test('each field states its kind, whether it is required, its default, bounds and example', () => {
  const [form] = forms({ ...sources, operations: [sample] })
  assert.equal(form!.area, 'Data quality')
  assert.deepEqual(
    form!.fields.map(({ name, kind, required, default: fallback, bounds, example }) => [
      name,
      kind,
      required,
      fallback,
      bounds,
      example,
    ]),
    [
      ['X', 'matrix', true, null, '1 … 1,000,000 rows, 1 … 10,000 columns', [[1]]],
      ['weights', 'vector', true, null, '1 … 1,000,000 items', [0]],
      ['method', 'choice', false, 'a', '', null],
      ['rounds', 'number', false, 3, '1 … 9', null],
      ['quotes', 'records', true, null, '1 … 9 items', [{ K: 2 }]],
    ],
  )
  assert.deepEqual(form!.fields[2].choices, ['a', 'b'])
  assert.deepEqual(
    form!.fields[4].items.map(({ name, kind, required }) => [name, kind, required]),
    [
      ['K', 'number', true],
      ['w', 'number', false],
    ],
  )
})
