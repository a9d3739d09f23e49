/** Values → inputs, and failures that name the field and the rule. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenInstant } from '../../../src/accounts/field-schemas.ts'
import type { Failure } from '../../../src/base/failure.ts'
import { Type } from '../../../src/base/type.ts'
import { validator } from '../../../src/compute/body/validate.ts'
import {
  exactly,
  integer,
  matrix,
  oneOf,
  positive,
  recordsOf,
  vector,
  withDefault,
} from '../../../src/compute/catalogue/schema.ts'

const EITHER = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])
const texts = Type.Object({
  period: Type.Union([Type.Enum(['day', 'month']), Type.Null()]),
  end: givenInstant('end'),
  day: Type.String({ description: 'YYYY-MM-DD', pattern: '^[0-9-]{10}$' }),
})
const schema = exactly({
  volatility: positive('volatility'),
  kind: withDefault(oneOf(['call', 'put'], 'kind'), 'call'),
  steps: withDefault(integer('steps', 1, 10), 3),
  X: withDefault(matrix('X'), [[1]]),
  p: withDefault(vector('p'), [1]),
  limit: Type.Optional(EITHER),
})
const { validate } = validator<Record<string, unknown>>(schema)

function refusal(value: unknown): Failure {
  try {
    validate(value)
  } catch (error) {
    return error as Failure
  }
  assert.fail('nothing was refused')
}
const details = (value: unknown) => refusal(value).details.map(({ message, path }) => `${path} ${message}`)

test('defaults are filled in, and what is given is kept', () => {
  assert.deepEqual(validate({ volatility: 2, steps: 5 }), {
    volatility: 2,
    kind: 'call',
    steps: 5,
    X: [[1]],
    p: [1],
  })
})

test('defaults of the objects in a list are filled in, and an unknown field of one is told the others', () => {
  const item = { strike: positive('strike'), weight: withDefault(positive('weight'), 1) }
  const list = validator<Record<string, unknown>>(exactly({ quotes: recordsOf(item, 'quotes', 1, 9) }))
  assert.deepEqual(list.validate({ quotes: [{ strike: 1 }, { strike: 2, weight: 3 }] }), {
    quotes: [
      { strike: 1, weight: 1 },
      { strike: 2, weight: 3 },
    ],
  })
  assert.throws(() => list.validate({ quotes: [{ strike: 1, weights: 2 }] }), {
    details: [{ path: '/quotes/0/weights', message: 'is not a field here; did you mean "weight"?' }],
  })
})

test('a list that is too short is told how many items it needs, and that it is empty only where it is', () => {
  const item = { strike: positive('strike') }
  const list = validator<Record<string, unknown>>(exactly({ quotes: recordsOf(item, 'quotes', 3, 9) }))
  for (const [quotes, message] of [
    [[], 'must not be empty: it needs at least 3 items'],
    [[{ strike: 1 }], 'must have at least 3 items'],
  ])
    assert.throws(() => list.validate({ quotes }), { details: [{ path: '/quotes', message }] })
})

test('each rule has words of its own', () => {
  assert.deepEqual(details({}), ['/volatility is required'])
  assert.deepEqual(details({ volatility: 0 }), ['/volatility must be greater than 0'])
  assert.deepEqual(details({ volatility: '2' }), ['/volatility must be a number'])
  assert.deepEqual(details({ volatility: null }), ['/volatility must be a number'])
  assert.deepEqual(details({ volatility: Number.POSITIVE_INFINITY }), [
    '/volatility must be a finite number (at most 1.8e308)',
  ])
  assert.deepEqual(details({ volatility: 1, kind: 'x' }), ['/kind must be one of: call, put'])
  assert.deepEqual(details({ volatility: 1, steps: 1.5 }), ['/steps must be an integer (a whole number)'])
  assert.deepEqual(details({ volatility: 1, steps: 11 }), ['/steps must be at most 10'])
  assert.deepEqual(details({ volatility: 1, steps: 0 }), ['/steps must be at least 1'])
  assert.deepEqual(details({ volatility: 1, p: [] }), ['/p must not be empty: it needs at least 1 item'])
  assert.deepEqual(details({ volatility: 1, X: [[1], [2, 'a']] }), ['/X/1/1 must be a number'])
  assert.deepEqual(details({ volatility: 1, X: [1] }), ['/X/0 must be an array'])
  assert.deepEqual(details({ volatility: 1, limit: 0 }), ['/limit must be at least 1'])
  assert.deepEqual(details({ volatility: 1, limit: 'x' }), [
    '/limit must be an integer (a whole number) or null',
  ])
  assert.deepEqual(details({ volatility: 0, limit: null }), ['/volatility must be greater than 0'])
})

test('a refused text names its field and what it should be', () => {
  const sound = { period: null, end: '2026-01-31T12:00:00Z', day: '2026-01-31' }
  const { check, validate } = validator(texts)
  assert.deepEqual(check({ ...sound }), sound)
  for (const [wrong, path, message] of [
    [{ period: 'week' }, '/period', 'must be one of: day, month'],
    [{ period: 5 }, '/period', 'must be a string or null'],
    [{ end: '2026-01-31' }, '/end', 'must be a date, a time and a zone, such as 2026-01-31T12:00:00Z'],
    [
      { end: '2026-01-31T24:00:00Z' },
      '/end',
      'must be a date, a time and a zone, such as 2026-01-31T12:00:00Z',
    ],
    [{ day: 'today' }, '/day', 'does not have the expected form (YYYY-MM-DD)'],
    [{ day: '2026\u0000' }, '/day', 'must not contain the character U+0000'],
  ] as const)
    assert.throws(() => validate({ ...sound, ...wrong }), { details: [{ path, message }] })
})

test('the message names the first field and how many more there are', () => {
  assert.equal(refusal({ volatility: -1 }).message, 'volatility must be greater than 0.')
  assert.match(refusal({ volatility: -1, steps: 0 }).message, /and 1 more, see details/)
})

test('a misspelt field is answered with the one that is close', () => {
  for (const name of ['volatilty', 'Volatility', 'vol'])
    assert.deepEqual(details({ volatility: 1, [name]: 1 }), [
      `/${name} is not a field of this endpoint; did you mean "volatility"?`,
    ])
  assert.match(details({ volatility: 1, zzz: 1 })[0], /its fields are: volatility, kind, steps, X, p, limit$/)
})

test('only objects are bodies', () => {
  for (const value of [[], 'x', 1, null, true]) assert.deepEqual(details(value), [' must be a JSON object'])
})

test('names that reach into prototypes are refused, and nothing is polluted', () => {
  assert.deepEqual(details(JSON.parse('{"__proto__":{"volatility":1}}')), [
    '/__proto__ is not an allowed field name',
  ])
  assert.equal(({} as Record<string, unknown>).volatility, undefined)
})

test('the first five faults are told', () => {
  assert.equal(refusal({ volatility: 1, p: Array(1_000).fill('x') }).details.length, 5)
})

test('another name of a quantity is told the field, in any case, unless two fields could be meant', () => {
  const { validate } = validator(exactly({ S: positive('spot'), K: positive('strike'), nu: positive('nu') }))
  const faults = (value: unknown) => {
    try {
      validate(value)
    } catch (error) {
      return (error as Failure).details.map(({ path, message }) => `${path} ${message}`)
    }
  }
  assert.deepEqual(faults({ spot: 1, X: 2, nu: 1 }), [
    '/spot is not a field: this operation calls it "S"',
    '/X is not a field: this operation calls it "K"',
  ])
  assert.deepEqual(faults({ S: 1, Spot: 1, s0: 1, K: 1, nu: 1 }), [
    '/Spot is not a field: this operation calls it "S"',
    '/s0 is not a field of this endpoint; did you mean "S"?',
  ])
  const twice = validator(exactly({ y_true: vector('y'), y_score: vector('s'), y_prob: vector('p') }))
  assert.throws(
    () => twice.validate({ y_true: [1], y_score: [1], y_prob: [1], score: [1] }),
    /did you mean "y_score"/,
  )
})
