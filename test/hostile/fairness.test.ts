/** Accounts share the worker threads; what is in flight is covered by the balance. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '../../src/compute/threads/pool.ts'
import { query } from '../support/database.ts'
import { peopleOf } from '../support/people.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const FOREST = '/quantlib/ml/clustering/isolation-forest'

const rows = (count: number): number[][] =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: 4 }, (_, column) => Math.sin(row * 4 + column)),
  )
/** A few tenths of a second of a core, in a body of less than 64 KiB. */
const HEAVY = JSON.stringify({ X: rows(700), n_trees: 1_000 })
/** A heavy body; the heaviest that is accepted takes ten times as long, and so would this test. */
const HEAVIEST = JSON.stringify({ X: rows(4_000), n_trees: 1_000 })

const service = await startTestService({ QUANTD_COMPUTE_THREADS: '1' })
after(() => service.close())

/** The key of a registered account with these credits. */
async function registered(credits: number): Promise<string> {
  const { key } = await peopleOf(service).person()
  await query(service, `UPDATE accounts SET balance = ${credits} WHERE id = (SELECT max(id) FROM accounts)`)
  return key
}

/** Milliseconds that each of these threads has run on a processor. */
const threadMs = (ids: readonly string[]): Map<string, number> =>
  new Map(ids.map((id) => [id, Number(textOf(id, 'schedstat').split(' ')[0]) / 1e6]))

/** The time that threads have run since then: those that have ended meanwhile, as idle ones do after a minute, do not count. */
const msSince = (before: Map<string, number>, now: Map<string, number>): number =>
  [...now].reduce((sum, [id, ms]) => sum + ms - (before.get(id) ?? 0), 0)

/** Empty if the thread has ended. */
function textOf(id: string, file: string): string {
  try {
    return readFileSync(`/proc/self/task/${id}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/**
 * The worker threads of this process whose priority is so much lower than its own: they have lowered it before they take work.
 */
const workers = (nicer: number): string[] =>
  readdirSync('/proc/self/task').filter((id) => {
    const stat = textOf(id, 'stat')
    const priority = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    return stat.includes('(WorkerThread)') && priority === getPriority() + atMost19(nicer)
  })

const atMost19 = (nicer: number): number => Math.min(19 - getPriority(), nicer)

describe('four guests who send the heaviest calls as fast as they may', () => {
  it("leave a registered account's heavy call a thread of a higher priority than theirs", {
    skip: process.platform !== 'linux' && 'priorities of threads are known on Linux alone',
  }, async (test) => {
    const key = await registered(100)
    const heavy = async () => {
      const { status, text } = await service.call(FOREST, { key, raw: HEAVY })
      assert.equal(status, 200, text.slice(0, 200))
    }
    // The pool may start one thread more than it uses at once: the account's calls are computed by one or the other.
    const own = () => threadMs(workers(10))
    const ofGuests = () => threadMs(workers(19))
    await heavy()
    const aloneMs = msSince(new Map(), own())
    const flood = new AbortController()
    const guests = await Promise.all(Array.from({ length: 4 }, () => service.guest()))
    const sending = guests.map(async (guest) => {
      while (!flood.signal.aborted) await service.call(FOREST, { key: guest, raw: HEAVIEST })
    })
    try {
      const atStart = ofGuests()
      await until(() => msSince(atStart, ofGuests()) > 100, 'a guest is served')
      const before = own()
      for (let i = 0; i < 3; i++) await heavy()
      const ownMs = msSince(before, own())
      const figures = `the account's threads ran ${ownMs.toFixed(0)} ms for three calls, ${aloneMs.toFixed(0)} ms for the first one`
      test.diagnostic(figures)
      // Had those of the guests computed the calls, they would hardly have run.
      assert.ok(ownMs > aloneMs / 10, figures)
    } finally {
      flood.abort()
      await Promise.all(sending)
    }
  })
})

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
  const task = (accountId: number, path: string, isGuest = false) => ({
    path,
    bytes: new TextEncoder().encode(JSON.stringify({ X: [[1], [2], [9]] })),
    caller: { accountId, isGuest },
    cost: null,
    micros: 1_000,
  })

  it('of registered accounts do not wait for those of guests', async () => {
    const pool = openPool({ threads: 1, timeLimitMs: 20_000, worker })
    const hanging = Array.from({ length: 3 }, (_, guest) => pool.run(task(guest, 'hang', true)))
    let ended = 0
    for (const one of hanging) one.finally(() => (ended += 1))
    assert.ok('body' in (await pool.run(task(9, FOREST))))
    assert.equal(ended, 0)
    await Promise.all(hanging)
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
          await until(() => pool.load().registered.waiting > 0, 'every thread is taken')
          await served()
          await until(() => stopped > 0, 'a task is stopped at the limit')
          for (let i = 0; i < 3; i++) await served()
        } finally {
          isOver = true
          await pool.close()
          await Promise.all(hanging)
        }
      })
  })
})
