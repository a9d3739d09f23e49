/** The functions of src/base/type.ts make the schemas that TypeBox makes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import TypeBox from 'typebox'
import { Type } from '../../src/base/type.ts'

/** A schema with each constructor, with and without options. */
const schema = (T: typeof Type) =>
  T.Object(
    {
      rows: T.Array(T.Array(T.Number({ minimum: 0 })), { minItems: 1, description: 'a matrix' }),
      is_known: T.Boolean({ default: false }),
      method: T.Enum(['iqr', 'mad'], { default: 'iqr' }),
      count: T.Optional(T.Integer({ minimum: 1 })),
      state: T.Union([T.Null(), T.Literal('open'), T.Literal(3), T.Literal(true)], {
        description: 'its state',
      }),
      costs: T.Record(T.String(), T.Integer(), { description: 'by path' }),
      lot: T.Optional(T.Object({ reference: T.Optional(T.String({ maxLength: 3 })) })),
      any: T.Unknown({ description: 'any value' }),
    },
    { additionalProperties: false },
  )

test('each function makes the schema that the one of TypeBox makes', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(schema(Type))), JSON.parse(JSON.stringify(schema(TypeBox))))
})

test('an optional schema does not change the one that it is made of', () => {
  const count = Type.Integer()
  Type.Optional(count)
  assert.deepEqual(Type.Object({ count }).required, ['count'])
})
