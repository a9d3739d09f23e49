/** The kept results of the sweeps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/compute/catalogue/index.ts'
import { keptRows } from './sweep/results.ts'

test('every operation has a sweep that found no wrong answer', () => {
  assert.deepEqual(
    keptRows().map(({ path, wrong }) => ({ path, wrong })),
    operations.map(({ path }) => ({ path, wrong: 0 })),
  )
})
