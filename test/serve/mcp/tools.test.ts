/** The list of tools and the summaries of results, which models read: short and complete. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostTokens } from '../../../bench/facts.ts'
import { sources } from '../../../src/derive/sources.ts'
import { accountTools, computationTools, toolList } from '../../../src/derive/tools.ts'
import { summary } from '../../../src/serve/mcp/result.ts'
import { fieldBytes } from '../../../src/wire/json-bytes.ts'

const computations = computationTools(sources)
const operations = sources.operations.filter(({ path }) => !path.endsWith('/columns'))
const list = toolList(sources)

test('there is one tool per computation, one for columns of them, and quote and account', () => {
  assert.deepEqual(
    computations.map(({ path }) => path),
    operations.map(({ path }) => path),
  )
  assert.deepEqual(
    accountTools.map(({ name }) => name),
    ['quote', 'account'],
  )
})

test('the names are valid and different', () => {
  for (const { name } of list) assert.match(name, /^[a-z][a-z0-9_]{1,63}$/)
  assert.equal(new Set(list.map(({ name }) => name)).size, list.length)
})

test('the whole list takes at most 20 KB and 7,000 tokens, however many tools there are, and no tool more than 550', () => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: list } })
  assert.ok(Buffer.byteLength(text) <= 20 * 1_024, `${Buffer.byteLength(text)} bytes`)
  const tokens = mostTokens(text)
  assert.ok(tokens <= 7_000, `${tokens} tokens`)
  for (const tool of list) {
    const own = mostTokens(JSON.stringify(tool))
    assert.ok(own <= 550, `${tool.name}: ${own} tokens`)
  }
})

test('each schema names every field of its operation, with a type and a description, or with its words', () => {
  for (const [index, { inputSchema, name }] of computations.entries()) {
    const { input } = operations[index]
    assert.deepEqual(Object.keys(inputSchema.properties!), Object.keys(input.properties), name)
    assert.deepEqual(inputSchema.required, JSON.parse(JSON.stringify(input)).required, name)
    for (const [field, { description, enum: words, type }] of Object.entries(inputSchema.properties!))
      assert.ok(words ?? (type && description), `${name}.${field}`)
  }
})

/** Words that tell a unit, or that a value has none. */
const UNIT =
  /\bper (year|1\.00|unit|row|call|label)\b|\byears\b|\bdecimal\b|\bunit|\bcurrency\b|\bcredits\b|\bseconds\b/

/**
 * The results that a description names, with their texts, which neighbours may have in common; the name of one that may be absent
 * ends with `?`.
 */
const resultsOf = (description: string) =>
  [
    ...description
      .split('. Returns ')[1]
      .matchAll(/((?:\w+\??, )*\w+\??) \((.*?)\)(?=, \w+\??(?: \(|,|\.$)|\.$)/g),
  ].flatMap(([, names, text]) => names.split(', ').map((name) => ({ name, text })))

test('each argument and result of a price, a rate or a time tells its unit', () => {
  const quantities =
    /^(S|K|T|r|q|sigma|nu|theta_vg|spot|strike|price|.*(rate|volatility|yield|maturity|_price)|delta|gamma|vega|theta|rho|vanna|volga|charm|speed|zomma|color|wealth)$/
  let checked = 0
  for (const { description, inputSchema, name: tool } of computations)
    for (const [field, text] of [
      ...Object.entries(inputSchema.properties!)
        .filter(([, { enum: words }]) => !words)
        .map(([name, { description }]) => [name, description] as const),
      ...resultsOf(description).map(({ name, text }) => [name.replace('?', ''), text] as const),
    ]) {
      assert.ok(text, `${tool}.${field}`)
      if (!quantities.test(field)) continue
      checked += 1
      assert.match(text, UNIT, `${tool}.${field}`)
    }
  assert.ok(checked > 90, String(checked))
})

test('each description names the fields of its result, and marks those that may be absent', () => {
  for (const [index, { description, name }] of computations.entries()) {
    const { input, output } = operations[index]
    const { properties, required } = JSON.parse(JSON.stringify(output))
    assert.deepEqual(
      resultsOf(description).map(({ name }) => name),
      Object.keys(properties)
        .filter((field) => !(field in input.properties))
        .map((field) => (required.includes(field) ? field : `${field}?`)),
      name,
    )
  }
})

test('a field of a JSON object is found as its bytes, the last of several, however it is written', () => {
  const field = (json: string) => {
    const bytes = fieldBytes(Buffer.from(json), 'x')
    return bytes === null ? null : String(bytes)
  }
  const values = [
    '1e999',
    '-0',
    '"a\\"},x"',
    '{"x":[1,{"y":"]"}]}',
    '[[],{}]',
    'null',
    '{"x":2}',
    '""',
    '"ü\\\\"',
  ]
  for (const value of values) {
    for (const json of [
      `{"x":${value}}`,
      `{"w":${value},"x":${value},"yx":1}`,
      `{"x":0,"x":${value}}`,
      `{"\\u0078":${value}}`,
    ])
      assert.equal(field(json), value, json)
    assert.equal(field(`{"y":{"x":1},"z":${value}}`), null)
    assert.deepEqual(JSON.parse(field(` { "x" : ${value} , "y":2 } `)!), JSON.parse(value))
  }
  for (const json of ['{}', ' { } ', '{"xx":1}', '{"":1}']) assert.equal(field(json), null, json)
})

test('a short result is not shortened', () => {
  const result = {
    price: 8.02,
    rows: [
      [1, 2],
      [3, 4],
    ],
    flags: [true, false],
  }
  assert.deepEqual(summary(result), result)
})

test('of a long list of numbers a model gets length, first values, range, median and the largest', () => {
  const scores = Array.from({ length: 101 }, (_, index) => (index === 40 ? 7 : index / 100))
  assert.deepEqual(summary({ scores }), {
    scores: {
      length: 101,
      first: [0, 0.01, 0.02, 0.03, 0.04],
      min: 0,
      median: 0.51,
      max: 7,
      mean: scores.reduce((sum, value) => sum + value / 101, 0),
      largest_at: [40, 100, 99, 98, 97, 96, 95, 94, 93, 92],
    },
  })
})

test('the median of an even number of values is the mean of the two in the middle', () => {
  const values = Array.from({ length: 22 }, (_, index) => (index < 11 ? index : 100 + index))
  assert.equal((summary(values) as { median: number }).median, (10 + 111) / 2)
})

test('of a long list of few different values it gets their counts and the places of the rarest', () => {
  const predictions = Array.from({ length: 30 }, (_, index) => (index % 10 === 3 ? -1 : 1))
  assert.deepEqual(summary(predictions), {
    length: 30,
    first: [1, 1, 1, -1, 1],
    counts: [
      { value: 1, count: 27 },
      { value: -1, count: 3 },
    ],
    rarest: { value: -1, count: 3, at: [3, 13, 23] },
  })
})

test('of a long batch it gets the number of successes and the first failures', () => {
  const results = Array.from({ length: 25 }, (_, index) =>
    index === 4 ? { success: false, message: 'no' } : { success: true, data: { price: index } },
  )
  const short = summary({ results }) as { results: Record<string, unknown> }
  assert.equal(short.results.succeeded, 24)
  assert.deepEqual(short.results.failed, [{ index: 4, success: false, message: 'no' }])
})
