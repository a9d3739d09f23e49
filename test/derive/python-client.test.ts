/** The generated Python code: names, signatures, results and doc strings follow from the declarations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pythonComputations } from '../../scripts/generators/python-client.ts'
import { failureName, pythonFailures, pythonRecords } from '../../scripts/generators/python-records.ts'
import { className, wrapped } from '../../scripts/generators/python-text.ts'
import { operation } from '../../src/catalogue/operation.ts'
import {
  exactly,
  integer,
  listOf,
  matrix,
  number,
  oneOf,
  positive,
  withDefault,
} from '../../src/catalogue/schema.ts'
import { snakeCase } from '../../src/derive/described.ts'
import { sources } from '../../src/derive/sources.ts'

const heatFlow = operation({
  path: '/quantlib/physics/heat-flow',
  title: 'Heat–flow rate',
  summary: 'Heat through a wall.',
  input: exactly({
    area: positive('area, m²'),
    scheme: withDefault(oneOf(['explicit', 'implicit'], 'time stepping'), 'implicit'),
    gradient: number('kelvin per metre'),
  }),
  output: exactly({ rate: number('watt'), scheme: oneOf(['explicit', 'implicit'], 'the scheme used') }),
  example: { input: { area: 1, gradient: 0 }, output: { rate: 0, scheme: 'implicit' } },
  work: () => 1,
  compute: ({ scheme }) => ({ rate: 0, scheme }),
})

const grid = operation({
  path: '/quantlib/physics/grid',
  title: 'Grid',
  summary: 'Hot rows of a grid.',
  input: exactly({ temperatures: matrix('kelvin'), steps: withDefault(integer('steps', 1, 9), 1) }),
  output: exactly({
    heat: listOf(number('heat'), 'one per row'),
    hot_indices: listOf(integer('row', 0, 9), 'hot rows'),
    later: matrix('after the steps'),
    total: number('joule'),
  }),
  example: { input: { temperatures: [[1]] }, output: { heat: [1], hot_indices: [], later: [[1]], total: 1 } },
  work: () => 1,
  compute: () => ({ heat: [1], hot_indices: [], later: [[1]], total: 1 }),
})

const generated = (...operations: Parameters<typeof pythonComputations>[0]['operations'][number][]) =>
  pythonComputations({ ...sources, operations })

test('an operation of numbers and words takes rows; fields that a reply repeats are not results', () => {
  const text = generated(heatFlow)
  assert.match(
    text,
    / {4}@overload\n {4}def heat_flow_rate\( {2}# type: ignore\n {8}self,\n {8}\*,\n {8}area: Union\[int, float\],\n/,
  )
  assert.match(text, / {8}scheme: Literal\["explicit", "implicit"\] = "implicit",\n {4}\) -> float: \.\.\.\n/)
  assert.match(text, /by_rows\(\n {12}self,\n {12}"\/quantlib\/physics\/heat-flow",\n/)
  assert.match(text, / {12}\("rate",\),\n/)
  assert.doesNotMatch(text, /class HeatFlowRate/)
})

test('doc strings give description, bounds and default of each field, the result and the errors', () => {
  const text = generated(heatFlow)
  assert.match(
    text,
    /"""Heat–flow rate \(POST \/quantlib\/physics\/heat-flow\)\.\n\n {8}Heat through a wall\.\n/,
  )
  assert.match(text, / {12}area: area, m²; > 0\.\n/)
  assert.match(text, / {12}scheme: time stepping; "explicit" or "implicit"; default "implicit"\.\n/)
  assert.match(text, /Returns:\n {12}rate: watt\.\n/)
  assert.match(text, /Raises:\n {12}InvalidInputError: /)
})

test('an operation of arrays takes them by position and has a class of results', () => {
  const text = generated(grid)
  assert.match(
    text,
    /def grid\(\n {8}self,\n {8}temperatures: Any,\n {8}\*,\n {8}steps: int = 1,\n {4}\) -> Grid:/,
  )
  assert.match(
    text,
    /Output\("heat", "row"\), Output\("hot_indices", "position"\), Output\("later", "matrix"\), Output\("total", "number"\)/,
  )
  assert.match(text, /class Grid\(NamedTuple\):[\s\S]* {4}total: float\n/)
  assert.match(text, /__all__ = \[\n {4}"Grid",\n\]/)
})

test('the endpoints of columns and batches have no method of their own', () => {
  const methods = pythonComputations(sources).match(/^ {4}def \w+/gm)!
  assert.deepEqual(
    methods.filter((line) => /columns|batch/.test(line)),
    [],
  )
})

test('the names of methods, and of classes, are different from each other', () => {
  const titles = sources.operations.map(({ title }) => snakeCase(title))
  assert.equal(new Set(titles).size, titles.length)
  assert.equal(className('Black–Scholes Greeks'), 'BlackScholesGreeks')
  assert.equal(failureName('rate_limited'), 'RateLimitedError')
  assert.notEqual(failureName('not_implemented'), 'NotImplementedError')
  assert.match(
    pythonFailures(sources),
    /class RateLimitedError\(QuantdError\):\n {4}"""[^"]+ \(status 429\)\."""/,
  )
})

test('properties that only some replies have may be missing from the record', () => {
  const text = pythonRecords(sources)
  assert.match(
    text,
    /class Profile\(ProfileAlways, total=False\):\n {4}#: number of the account\.\n {4}user_id: int\n/,
  )
  assert.match(text, /account_type: Literal\["free", "basic", "standard", "pro", "guest"\]/)
  assert.match(text, /next_cursor: Optional\[str\]/)
})

test('text is wrapped at 110 characters', () => {
  const lines = wrapped('word '.repeat(60).trim(), '    ', '  ').split('\n')
  assert.equal(lines.length, 3)
  assert.ok(lines.every((line) => line.length <= 110))
  assert.match(lines[1], /^ {6}word/)
})
