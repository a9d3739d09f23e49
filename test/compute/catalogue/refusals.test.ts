/** The messages with which the operations refuse numbers outside their domain. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Failure } from '../../../src/base/failure.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { compileOperation } from '../../../src/compute/computation.ts'
import { OPTION } from '../../support/option.ts'

interface Refusal {
  readonly what: string
  readonly path: string
  readonly body: object
  readonly field: string
  readonly message: string
}

const refusals: readonly Refusal[] = [
  {
    what: 'lists of different length name both fields',
    path: '/quantlib/ml/credit/discrimination',
    body: { y_true: [0, 1, 1], y_score: [0.1, 0.2] },
    field: '/y_score',
    message: 'y_score has 2 values but y_true has 3.',
  },
  {
    what: 'Variance Gamma parameters without a mean say which fields are wrong and which nu is right',
    path: '/quantlib/models/variance-gamma/price',
    body: { S: 100, K: 100, T: 1, r: 0.05, sigma: 0.4, theta_vg: 1, nu: 2 },
    field: '/nu',
    message:
      'nu must be less than 0.925926 at these values of theta_vg and sigma: 1 − theta_vg·nu − sigma²·nu/2 is −1.16 and must be greater than 0.',
  },
  {
    what: 'a quote outside its bounds is named by its place',
    path: '/quantlib/models/variance-gamma/calibrate',
    body: {
      S: 100,
      r: 0,
      quotes: [
        { K: 90, T: 1, price: 12 },
        { K: 100, T: 1, price: 8 },
        { K: 110, T: 1, price: 150 },
      ],
    },
    field: '/quotes/2/price',
    message:
      'quotes: item 3: price must be below 100, the upper no-arbitrage bound (discounted S), which only an infinite volatility reaches.',
  },
  {
    what: 'a quote without a price is counted from 1, like any other item',
    path: '/quantlib/models/variance-gamma/calibrate',
    body: { S: 100, r: 0, quotes: [90, 100, 110].map((K) => ({ K, T: 1, ...(K > 90 && { price: 12 }) })) },
    field: '/quotes/0/price',
    message: 'quotes: item 1: price or implied_volatility must be given.',
  },
  {
    what: 'an unknown field of a quote is told the fields that a quote has',
    path: '/quantlib/models/variance-gamma/calibrate',
    body: {
      S: 100,
      r: 0,
      quotes: [80, 90, 100].map((K) => ({ K, T: 1, price: 30, ...(K === 80 && { vol: 0.2 }) })),
    },
    field: '/quotes/0/vol',
    message: 'quotes: item 1: vol is not a field here; did you mean "implied_volatility"?',
  },
  {
    what: 'a label that is not 0 or 1 is counted from 1',
    path: '/quantlib/ml/credit/discrimination',
    body: { y_true: [0, 2, 1], y_score: [0.1, 0.2, 0.3] },
    field: '/y_true/1',
    message: 'y_true: item 2 must be 0 or 1.',
  },
  {
    what: 'a word in other letters is recognised',
    path: '/quantlib/pricing/bs/price',
    body: { ...OPTION, option_type: 'CALL' },
    field: '/option_type',
    message: 'option_type must be one of: call, put; did you mean "call"?',
  },
  {
    what: 'the beginning of a word is recognised',
    path: '/quantlib/pricing/bs/price',
    body: { ...OPTION, option_type: 'c' },
    field: '/option_type',
    message: 'option_type must be one of: call, put; did you mean "call"?',
  },
  {
    what: 'a percentage is told the number to send',
    path: '/quantlib/pricing/bs/price',
    body: { ...OPTION, volatility: '20%' },
    field: '/volatility',
    message: 'volatility must be a number: send 0.2 for "20%".',
  },
  {
    what: 'a difference across the edge of the domain names the function and its points',
    path: '/quantlib/numerical/differentiation/derivative',
    body: { func_name: 'log', x: 0.5, h: 1 },
    field: '/x',
    message: 'log needs arguments above 0; the points of the difference are -0.5 and 1.5.',
  },
  {
    what: 'a step that is too small says so',
    path: '/quantlib/numerical/differentiation/derivative',
    body: { func_name: 'exp', x: 1e10 },
    field: '/h',
    message: 'h is too small: x + h rounds to x at x = 10000000000; use a larger step.',
  },
  {
    what: 'rows of unequal length are counted',
    path: '/quantlib/ml/preprocessing/outliers',
    body: { X: [[1, 2], [3]] },
    field: '/X/1',
    message: 'X: item 2 has 1 columns but the first row has 2.',
  },
  {
    what: 'a matrix that is not square is named with its size',
    path: '/quantlib/ml/credit/migration',
    body: { transitions: [[1, 2]] },
    field: '/transitions',
    message: 'transitions must be square, but has 1 rows and 2 columns.',
  },
  {
    what: 'too many trees for the rows name the number that is allowed',
    path: '/quantlib/ml/clustering/isolation-forest',
    body: { X: Array.from({ length: 30_000 }, () => [0]), n_trees: 1_000 },
    field: '/n_trees',
    message:
      'n_trees times the number of rows is 30000000; at most 20000000 is allowed: with 30000 rows, use at most 666 trees.',
  },
]

describe('refusals of the operations', () => {
  for (const { body, field, message, path, what } of refusals)
    test(what, () => {
      const operation = operations.find((one) => one.path === path)!
      const job = compileOperation(operation).read(Buffer.from(JSON.stringify(body)))
      const result = job instanceof Failure ? job : job.run()
      assert(result instanceof Failure)
      assert.equal(result.code, 'invalid_input')
      assert.equal(result.message, message)
      assert.equal(result.details[0]?.path, field)
    })
})
