/** Large requests of columns, which the threads of the pool compute in pieces. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Job } from '../../../src/compute/computation.ts'
import { compileComputations } from '../../../src/compute/computations.ts'
import { type JoinedResult, joinedResult } from '../../../src/compute/result.ts'
import { openPool } from '../../../src/compute/threads/pool.ts'
import { PATIENT } from '../../support/service.ts'
import { bytesOf, FOREST, small, task, text } from './tasks.ts'

/** Shared pools by their number of threads, because starting a thread takes as long as most tests. */
const pools = new Map([1, 2].map((threads) => [threads, openPool({ threads, ...PATIENT })]))
after(async () => {
  for (const pool of pools.values()) await pool.close()
})

describe('a large request of columns', () => {
  const path = '/quantlib/pricing/bs/price/columns'
  const rows = 30_000
  const strike = Array.from({ length: rows }, (_, row) => (row % 7_000 === 0 ? -1 : 50 + (row % 100)))
  const columns = { spot: 100, strike, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 }
  const bytes = () => bytesOf({ columns })

  for (const threads of [1, 2])
    it(`is run in pieces, to the same result as in one, by ${threads}`, async () => {
      const pool = pools.get(threads)!
      const job = compileComputations()({}).get(path)!.read(bytes()) as Job
      const whole = joinedResult(job.run()) as JoinedResult
      const divided = (await pool.run({ ...task(path, bytes()), cost: rows })) as JoinedResult
      assert.equal(text(divided), whole.body)
      assert.equal(divided.digest, whole.digest)
      assert.deepEqual([divided.credits, divided.calls], [rows - 5, rows])
    })

  it('is computed only once its cost is admitted', async () => {
    const pool = pools.get(2)!
    const asked: number[] = []
    const refuse = async (cost: number): Promise<never> => {
      asked.push(cost)
      throw new Error('refused')
    }
    await assert.rejects(pool.runOnceAdmitted({ ...task(path, bytes()), cost: null }, refuse), /refused/)
    assert.deepEqual(asked, [rows])
    const run = await pool.runOnceAdmitted({ ...task(path, bytes()), cost: null }, async (cost) => cost)
    assert.equal(run.admitted, rows)
  })

  const slow = { S: 100, K: strike.slice(1, 6_000), T: 0.0001, r: 0, sigma: 0.01, theta_vg: -0.3, nu: 1 }
  const slowTask = () => ({
    ...task('/quantlib/models/variance-gamma/price/columns', bytesOf({ columns: slow })),
    cost: rows,
  })

  it('is helped by a thread that becomes idle', async () => {
    const pool = pools.get(2)!
    // A thread may take longer to start than the other one takes for the large request.
    await Promise.all([1, 2].map((account) => pool.run(task(FOREST, small(), account))))
    let others = 2
    let hasEnded = false
    const large = pool.run(slowTask()).then(() => {
      hasEnded = true
    })
    // Two tasks of another account: the large request has one thread, if any.
    for (const other of [2, 2]) pool.run(task(FOREST, small(), other)).then(() => (others -= 1))
    let most = 0
    while (!hasEnded) {
      if (others === 0) most = Math.max(most, pool.load().running)
      await nextIteration()
    }
    await large
    assert.equal(most, 2)
  })

  it('lets tasks of other accounts run between its pieces', async (t) => {
    const pool = pools.get(1)!
    // Otherwise a further thread may start for the other account, because a busy machine may take any time for a piece.
    const now = performance.now()
    t.mock.method(performance, 'now', () => now)
    const ended: string[] = []
    const large = pool.run(slowTask()).then(() => ended.push('large'))
    await pool.run(task(FOREST, small(), 2)).then(() => ended.push('small'))
    await large
    assert.deepEqual(ended, ['small', 'large'])
  })
})
