/** The short version of `npm run test:crash`: five faults of each kind under load, and every rule of the ledger checked. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { torture } from '../../proofs/torture/run.ts'
import { chance, faultsOf } from '../../proofs/torture/schedule.ts'

describe('torture', () => {
  it('of SQLite: five kills under load lose nothing and charge nothing twice', async () => {
    const faults = { node: 5, database: 0, commit: 0 }
    const result = await torture({ database: 'sqlite', seed: 1, rounds: 1, nodes: 1, faults })
    assert.deepEqual(result.violations, [])
    assert.equal(result.nodeKills, 5)
    assert.ok(result.statuses.get(200)! > 50, 'hardly any call was answered')
  })

  it('of PostgreSQL: five kills each of nodes, database and connections at COMMIT neither', async () => {
    const faults = { node: 5, database: 5, commit: 5 }
    const result = await torture({ database: 'postgres', seed: 1, rounds: 1, nodes: 2, faults })
    assert.deepEqual(result.violations, [])
    assert.deepEqual([result.nodeKills, result.databaseKills], [5, 5])
    assert.ok(result.cuts >= 3, `only ${result.cuts} connections were cut`)
    assert.ok(result.statuses.get(200)! > 50, 'hardly any call was answered')
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
