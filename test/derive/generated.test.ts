/** The generated files are correct; `npm test -- generated` checks that they are up to date. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { endpoints } from '../../clients/typescript/endpoints.ts'
import { Type } from '../../src/base/type.ts'
import { matrix, oneOf } from '../../src/compute/catalogue/schema.ts'
import { operationId } from '../../src/derive/request-code.ts'
import { boundsInWords, plain, typeInWords } from '../../src/derive/schemas.ts'
import { sources } from '../../src/derive/sources.ts'

test('the client has a method for every endpoint but the batch and columns, whose types follow from their calls', () => {
  const served = [...sources.operations, ...sources.endpoints].filter(
    ({ path }) => !/\/(batch|columns)$/.test(path),
  )
  assert.deepEqual(
    Object.values(endpoints).map(({ path }) => path),
    served.map(({ path }) => path),
  )
  const idOf = (one: { readonly path: string; readonly id?: string }) => one.id ?? operationId(one.path)
  assert.deepEqual(Object.keys(endpoints), served.map(idOf))
})

test('bounds are stated in short words', () => {
  const words = (schema: TSchema) => boundsInWords(plain(schema))
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
