/** The list of tools and the summaries of results, which models read: short and complete. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostTokens } from '../../bench/facts.ts'
import { sources } from '../../src/derive/sources.ts'
import { accountTools, computationTools, toolList } from '../../src/derive/tools.ts'
import { argumentBytes, hasSpecialNumbers } from '../../src/mcp/arguments.ts'
import { summary } from '../../src/mcp/summary.ts'

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

test('the list takes at most 400 tokens a tool, so 6,000 with fifteen, and no tool more than 600', () => {
  const tokens = mostTokens(JSON.stringify({ tools: list }))
  assert.ok(tokens <= 400 * list.length, `${tokens} tokens`)
  for (const tool of list) {
    const own = mostTokens(JSON.stringify(tool))
    assert.ok(own <= 600, `${tool.name}: ${own} tokens`)
  }
})

test('each schema names every field of its operation, with type and description', () => {
  for (const [index, { inputSchema, name }] of computations.entries()) {
    const { input } = operations[index]
    assert.deepEqual(Object.keys(inputSchema.properties!), Object.keys(input.properties), name)
    assert.deepEqual(inputSchema.required, JSON.parse(JSON.stringify(input)).required, name)
    for (const [field, { description, enum: words, type }] of Object.entries(inputSchema.properties!))
      assert.ok(description && (type ?? words), `${name}.${field}`)
  }
})

test('arguments keep the numbers that JSON.stringify would change', () => {
  const text = '{"x":1e999,"y":-1e999,"z":-0,"list":[1,2.5,-3e-300]}'
  assert.equal(hasSpecialNumbers(Buffer.from(text)), true)
  assert.equal(String(argumentBytes(JSON.parse(text), true)), text)
  const plain = '{"list":[1,-2.5e-7,1e20]}'
  assert.equal(hasSpecialNumbers(Buffer.from(plain)), false)
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
