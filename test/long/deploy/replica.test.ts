/** Read replicas: history, summaries and exports from a real standby, with their lag, and from the database without one. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { operator, type Ran, settingsOf } from '../../support/operator.ts'
import type { Person } from '../../support/people.ts'
import { COMPUTED, peopleOf } from '../../support/people.ts'
import { type Answer, startTestService, type TestService } from '../../support/service.ts'
import { type Pair, startPair } from '../../support/standby.ts'
import { until } from '../../support/until.ts'

let pair: Pair
let replicaUrl: string
let service: TestService
let account: Person
before(async () => {
  pair = await startPair()
  replicaUrl = `${pair.hostsUrl}?target_session_attrs=standby`
  service = await startTestService({
    DATABASE_URL: pair.primary.url,
    DATABASE_REPLICA_URL: replicaUrl,
    QUANTD_CORS_ORIGINS: 'https://app.example.org',
  })
  account = await peopleOf(service).person()
})
after(async () => {
  await service.close()
  await pair.stop()
})

const compute = () => service.call(COMPUTED, { key: account.key, body: { wealth: 2 } })
/** An account may ask 120 times a minute. */
const paced = async (path: string) => {
  await sleep(600)
  return await service.call(path, { key: account.key })
}
const history = () => paced('/user/usage')
const summary = () => paced('/user/usage/summary')
/** The lag in seconds; null: the database itself has answered. */
const lagOf = ({ headers }: Answer): number | null => {
  const text = headers.get('x-replica-lag')
  return text === null ? null : Number(text)
}
const exported = () =>
  operator({ ...settingsOf(service), DATABASE_REPLICA_URL: replicaUrl })(['admin', 'export-audit'])
const fromReplica = (read: () => Promise<Answer>) =>
  until(async () => lagOf(await read()) !== null, 'the replica has answered')
const fromDatabase = (read: () => Promise<Answer>) =>
  until(async () => lagOf(await read()) === null, 'the database has answered')

describe('a read replica', () => {
  it('answers history and summaries, and a header states the lag', async () => {
    for (let call = 0; call < 3; call++) assert.equal((await compute()).status, 200)
    await fromReplica(history)
    await until(async () => (await history()).body.data.items.length === 3, 'the replica has all calls')
    const answer = await history()
    assert.ok(lagOf(answer)! >= 0 && lagOf(answer)! < 10, answer.headers.get('x-replica-lag')!)
    // The sums of past days are stored by the database first.
    await fromReplica(summary)
    assert.deepEqual((await summary()).body.data.by_endpoint, [{ path: COMPUTED, calls: 3, credits: 3 }])
  })

  it('shows its own state: a call that it does not have yet is not in its history, and its lag grows', async () => {
    await pair.standby.query('SELECT pg_wal_replay_pause()')
    const isPaused = async () =>
      (await pair.standby.query<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state'))[0]
        .state === 'paused'
    await until(isPaused, 'the standby paused')
    assert.equal((await compute()).status, 200)
    let answer: Answer
    await until(async () => {
      answer = await history()
      return lagOf(answer)! > 2
    }, 'the lag grew')
    assert.equal(answer!.body.data.items.length, 3)
  })

  it('that is more than 10 s behind is not used, until it has caught up', async () => {
    await fromDatabase(history)
    assert.equal((await history()).body.data.items.length, 4)
    await pair.standby.query('SELECT pg_wal_replay_resume()')
    await fromReplica(history)
    await until(async () => (await history()).body.data.items.length === 4, 'the replica caught up')
  })

  it('is read by an export, which says so', async () => {
    // A standby that a busy machine keeps from answering within two seconds is not used.
    let ran: Ran
    const isOfReplica = async () => {
      ran = await exported()
      return /read from the replica, which lags by at most \d+ ms/.test(ran.err)
    }
    await until(isOfReplica, 'an export read the replica')
    const { out } = ran!
    assert.equal(out.split('\n').filter((line) => line.includes(COMPUTED)).length, 4)
  })

  it('that is down is replaced by the database, for exports too', async () => {
    await pair.standby.kill9()
    await fromDatabase(history)
    assert.equal((await history()).body.data.items.length, 4)
    await fromDatabase(summary)
    const { err, out } = await exported()
    assert.match(err, /the replica cannot be used or lags too far/)
    assert.equal(out.split('\n').filter((line) => line.includes(COMPUTED)).length, 4)
    await pair.standby.start()
    await fromReplica(history)
  })
})
