/** The generated files are correct; `npm test -- generated` checks that they are up to date. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { endpoints } from '../../clients/typescript/endpoints.ts'
import { filesFrom } from '../../scripts/generators/declared-files.ts'
import { operation } from '../../src/catalogue/operation.ts'
import { exactly, matrix, number, oneOf, withDefault } from '../../src/catalogue/schema.ts'
import { operationId } from '../../src/derive/code/request-code.ts'
import { boundsInWords, plain, typeInWords } from '../../src/derive/rules.ts'
import { sources } from '../../src/derive/sources.ts'

const tenth = operation({
  path: '/quantlib/physics/heat-flow',
  title: 'Heat flow',
  summary: 'A tenth computation.',
  input: exactly({
    grid: matrix('temperatures, kelvin'),
    scheme: withDefault(oneOf(['explicit', 'implicit'], 'time stepping'), 'implicit'),
  }),
  output: exactly({ flow: number('watt') }),
  example: { input: { grid: [[1]] }, output: { flow: 0 } },
  work: () => 1,
  compute: () => ({ flow: 0 }),
})

test('a new operation appears in every file through its declaration alone', () => {
  const more = { ...sources, operations: [...sources.operations, tenth] }
  const readme = 'before\n<!-- endpoints:begin -->\nold\n<!-- endpoints:end -->\nafter\n'
  const files = new Map(filesFrom(more, readme).map(({ path, text }) => [path, text]))
  assert.match(files.get('openapi.json')!, /"operationId": "physicsHeatFlow"/)
  assert.match(files.get('clients/typescript/types.ts')!, /grid: readonly Numbers\[\]\n/)
  assert.match(files.get('clients/typescript/types.ts')!, /scheme\?: 'explicit' \| 'implicit'\n/)
  assert.match(files.get('clients/typescript/types.ts')!, /time stepping; default "implicit"/)
  assert.match(files.get('clients/typescript/endpoints.ts')!, /physicsHeatFlow: \{ kind: 'computation',/)
  assert.match(
    files.get('README.md')!,
    /^before\n<!-- endpoints:begin -->\n\| Method [\s\S]*\| POST \| `\/quantlib\/physics\/heat-flow` \| yes \| Heat flow \|\n[\s\S]*<!-- endpoints:end -->\nafter\n$/,
  )
  assert.doesNotMatch(files.get('README.md')!, /old/)
})

test('a README without the markers is not generated', () => {
  assert.ok(!filesFrom(sources, '# quantd\n').some(({ path }) => path === 'README.md'))
})

test('generating the files twice gives the same bytes', () => {
  assert.deepEqual(filesFrom(sources, ''), filesFrom(sources, ''))
})

test('the client has a method for every endpoint but the batch and columns, whose types follow from their calls', () => {
  const paths = [...sources.operations, ...sources.endpoints]
    .map(({ path }) => path)
    .filter((path) => !/\/(batch|columns)$/.test(path))
  assert.deepEqual(
    Object.values(endpoints).map(({ path }) => path),
    paths,
  )
  assert.deepEqual(Object.keys(endpoints), paths.map(operationId))
})

test('bounds are stated in short words', () => {
  const words = (schema: Type.TSchema) => boundsInWords(plain(schema))
  assert.equal(words(Type.Number({ exclusiveMinimum: 0 })), '> 0')
  assert.equal(words(Type.Number({ minimum: 0, exclusiveMaximum: 1 })), '≥ 0 and < 1')
  assert.equal(words(Type.Integer({ minimum: 1, maximum: 10000 })), '1 … 10,000')
  assert.equal(words(Type.Number()), '')
  assert.equal(words(Type.Array(Type.Number(), { minItems: 1 })), 'at least 1 item')
  assert.equal(words(matrix('m')), '1 … 1,000,000 rows, 1 … 10,000 columns')
  assert.equal(words(matrix('m', { minimum: 0 }, 200, 200)), '1 … 200 rows, 1 … 200 columns, each ≥ 0')
  assert.equal(typeInWords(plain(matrix('m'))), 'array of array of number')
  assert.equal(typeInWords(plain(oneOf(['a', 'b'], 'w'))), '"a" | "b"')
})
