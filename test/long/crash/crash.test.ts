/** The short version of `npm run test:crash`: quick kinds of fault under load, and every rule of the ledger checked. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CrashResult, crash } from './run.ts'
import { chance, type FaultCounts, faultsOf } from './schedule.ts'
import { openSmallDisk } from './small-disk.ts'

const disk = openSmallDisk(16)
disk?.close()

function isExact({ statuses, struck, violations }: CrashResult, faults: FaultCounts): void {
  assert.deepEqual(violations, [])
  // A cut needs a COMMIT that passes in time; a full disk needs a file system of its own.
  const notCertain = disk === null ? ['commit', 'full', 'read-only'] : ['commit']
  const certain = (counts: object) =>
    Object.fromEntries(Object.entries(counts).filter(([kind]) => !notCertain.includes(kind)))
  assert.deepEqual(certain(Object.fromEntries(struck)), certain(faults))
  assert.ok(statuses.get(200)! > 50, 'hardly any call was answered')
}

describe('a crash run', () => {
  it('of SQLite loses nothing and charges nothing twice', async () => {
    const faults: FaultCounts = { node: 3, flush: 1, second: 1, full: 1 }
    isExact(await crash({ database: 'sqlite', seed: 1, rounds: 1, nodes: 1, faults }), faults)
  })

  it('of PostgreSQL neither', async () => {
    const faults: FaultCounts = { node: 2, database: 1, commit: 5, second: 1 }
    const result = await crash({ database: 'postgres', seed: 1, rounds: 1, nodes: 2, faults })
    isExact(result, faults)
    assert.ok(result.struck.get('commit')! >= 3, 'hardly any connection was cut')
  })

  it('strikes in the same order for the same seed', () => {
    const faults = { node: 4, database: 2, commit: 3 }
    assert.deepEqual(faultsOf(7, 3, faults, 2), faultsOf(7, 3, faults, 2))
    assert.notDeepEqual(faultsOf(7, 3, faults, 2), faultsOf(8, 3, faults, 2))
    const draws = Array.from({ length: 1_000 }, chance(7, 3, 1))
    assert.ok(draws.every((draw) => draw >= 0 && draw < 1))
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
    assert.ok(Math.abs(mean - 0.5) < 0.05, String(mean))
  })
})
