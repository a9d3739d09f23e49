/** Accounts share the worker threads; what is in flight is covered by the balance. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../src/base/failure.ts'
import { openPool } from '../../src/compute/threads/pool.ts'
import type { Tier } from '../../src/ledger/rules/tiers.ts'
import { query } from '../support/database.ts'
import { peopleOf, useService } from '../support/people.ts'
import { until } from '../support/until.ts'

const FOREST = '/quantlib/ml/clustering/isolation-forest'

const rows = (count: number): number[][] =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: 4 }, (_, column) => Math.sin(row * 4 + column)),
  )
/** A few tenths of a second of a core, in a body of less than 64 KiB. */
const HEAVY = JSON.stringify({ X: rows(700), n_trees: 1_000 })

const service = await useService({ QUANTD_COMPUTE_THREADS: '1' })

/** The key of a registered account with these credits. */
async function registered(credits: number): Promise<string> {
  const { key } = await peopleOf(service).person()
  await query(service, `UPDATE accounts SET balance = ${credits} WHERE id = (SELECT max(id) FROM accounts)`)
  return key
}

describe('a balance of one credit', () => {
  it('buys one of eight heavy computations at once; the others are not computed', async () => {
    const key = await registered(1)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.call(FOREST, { key, raw: HEAVY })),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    assert.deepEqual([count(200), count(402)], [1, 7])
    const refused = answers.find(({ status }) => status === 402)!
    assert.equal(
      refused.body.message,
      'This request needs 1 credit; the balance is 1, of which 1 may be charged for requests in progress; ask the operator of the service for more.',
    )
    assert.equal(refused.headers.get('x-credits-remaining'), '1')
  })

  it('is whole again after heavy calls that failed, or whose clients went away', async () => {
    const key = await registered(1)
    const faulty = JSON.stringify({ X: [...rows(700), ['x']] })
    for (let i = 0; i < 3; i++) assert.equal((await service.call(FOREST, { key, raw: faulty })).status, 422)
    const cut = new AbortController()
    const gone = fetch(service.url + FOREST, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: faulty,
      signal: cut.signal,
    }).catch(() => undefined)
    await sleep(50)
    cut.abort()
    await gone
    let answer = await service.call(FOREST, { key, raw: HEAVY })
    await until(async () => {
      if (answer.status === 402) answer = await service.call(FOREST, { key, raw: HEAVY })
      return answer.status !== 402
    }, 'the call of the client that went away is over')
    assert.equal(answer.status, 200, answer.text.slice(0, 200))
    assert.equal(answer.headers.get('x-credits-remaining'), '0')
  })
})

describe('the worker threads', () => {
  const worker = new URL('../support/dying-worker.ts', import.meta.url)
  const task = (accountId: number, path: string, tier: Tier = 'free') => ({
    path,
    bytes: new TextEncoder().encode(JSON.stringify({ X: [[1], [2], [9]] })),
    caller: { accountId, tier },
    cost: null,
  })

  for (const [tier, holders, others] of [
    ['guest', 4, ['guest', 'free', 'pro']],
    ['free', 6, ['free', 'pro']],
    ['pro', 8, ['pro']],
  ] as const)
    it(`of ${holders} ${tier} accounts that never end leave one to the next account`, async () => {
      const pool = openPool({ threads: 1, timeLimitMs: 20_000, worker })
      const hanging = Array.from({ length: holders }, (_, account) => pool.run(task(account, 'hang', tier)))
      await until(() => pool.load().running === holders, 'every account has a thread')
      for (const [index, other] of others.entries()) {
        const outcome = await pool.run(task(100 + index, FOREST, other))
        assert.ok('body' in outcome, String(outcome))
      }
      for (const outcome of await Promise.all(hanging)) assert.ok(outcome instanceof Failure)
      await pool.close()
    })

  describe('serve others while one account sends tasks that are stopped at the limit', {
    concurrency: true,
  }, () => {
    for (const threads of [1, 2])
      it(`${threads} at a time`, async () => {
        // A busy machine takes seconds to start a thread, whose priority is low.
        const pool = openPool({ threads, timeLimitMs: 30_000, worker })
        let stopped = 0
        let isOver = false
        const hang = async () => {
          while (!isOver) {
            await pool.run(task(1, 'hang'))
            stopped += 1
            await sleep(50)
          }
        }
        const hanging = Array.from({ length: 8 }, hang)
        const served = async () => {
          const outcome = await pool.run(task(2, FOREST))
          assert.ok('body' in outcome, String(outcome))
        }
        try {
          await until(() => pool.load().waiting > 0, 'every thread is taken')
          await served()
          await until(() => stopped > 0, 'a task is stopped at the limit')
          for (let i = 0; i < 3; i++) await served()
        } finally {
          isOver = true
          await Promise.all(hanging)
          await pool.close()
        }
      })
  })
})
