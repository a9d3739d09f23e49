/** Sliders give numbers that their fields take. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { sliderOf } from '../../../src/web/console/sliders.ts'

interface Bounds {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly default?: number
}

test('both ends of each slider are within the bounds of its field, and its default is on it', () => {
  for (const { path, input } of operations)
    for (const [name, schema] of Object.entries(input.properties as Record<string, TSchema & Bounds>)) {
      if (schema.type !== 'number' && schema.type !== 'integer') continue
      const { value, position, steps } = sliderOf({ name, type: schema.type }, schema.default!)
      for (const end of [value(0), value(steps)]) {
        const what = `${name} of ${path}: ${end}`
        assert.ok(end >= (schema.minimum ?? -Infinity) && end <= (schema.maximum ?? Infinity), what)
        assert.ok(
          end > (schema.exclusiveMinimum ?? -Infinity) && end < (schema.exclusiveMaximum ?? Infinity),
          what,
        )
        if (schema.type === 'integer') assert.ok(Number.isInteger(end), what)
      }
      if (schema.default !== undefined)
        assert.ok(Math.abs(value(position(schema.default)) - schema.default) < 0.3, name)
    }
})
