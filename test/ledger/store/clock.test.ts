/** The time of a node when the clock of its database is set back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { steadyClock } from '../../../src/ledger/store/postgres/clock.ts'

const MINUTE_MS = 60_000
const NOON = Date.UTC(2026, 10, 1, 12)

test('time stands still until a clock that is behind has caught up', () => {
  const timeOf = steadyClock()
  const shown = [0, 10, 5, 9, 11].map((minutes) => (timeOf(NOON + minutes * MINUTE_MS) - NOON) / MINUTE_MS)
  assert.deepEqual(shown, [0, 10, 10, 10, 11])
})

test('a clock that was wrong by more than an hour is believed once it is corrected', () => {
  const timeOf = steadyClock()
  timeOf(NOON + 24 * 60 * MINUTE_MS)
  assert.equal(timeOf(NOON), NOON)
  assert.equal(timeOf(NOON - 1), NOON)
})
