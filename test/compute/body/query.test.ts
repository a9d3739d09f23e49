/** The query of a request: known parameters are converted and checked, others are refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '../../../src/base/type.ts'
import { queryReader } from '../../../src/compute/body/validate.ts'

const schema = Type.Object({ limit: Type.Optional(Type.Integer()), cursor: Type.Optional(Type.String()) })
const query = (text: string) => new URLSearchParams(text)

test('parameters of a number schema become numbers, others stay text', () => {
  assert.deepEqual(queryReader(schema)(query('limit=5&cursor=7')), { limit: 5, cursor: '7' })
  assert.throws(() => queryReader(schema)(query('limit=five')), { code: 'invalid_input' })
})

test('unknown parameters are refused by name, together with the known ones', () => {
  assert.throws(() => queryReader(schema)(query('limt=5&page=2&limit=3')), {
    code: 'invalid_input',
    message: 'The query parameters "limt", "page" are not known; this endpoint takes only: limit, cursor.',
  })
  assert.throws(() => queryReader(null)(query('x=1')), {
    code: 'invalid_input',
    message: 'The query parameter "x" is not known; this endpoint takes no query parameters.',
  })
})

test('names like those of Object.prototype are unknown, too', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    assert.throws(() => queryReader(schema)(query(`${name}=1`)), { code: 'invalid_input' })
})
