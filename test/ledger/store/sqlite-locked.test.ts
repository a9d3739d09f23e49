/** Another process holds the lock of the SQLite file for a long time: calls fail uncharged, and the event loop runs. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { SQLITE_LOCK_MS } from '../../../src/base/limits/operation.ts'
import { openSqlite } from '../../../src/ledger/store/sqlite/open.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { COMPUTED, useService } from '../../support/people.ts'
import { closedAfter } from '../../support/service.ts'

const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? 'SQLite only' : false

describe('a SQLite file that another process has locked', { skip }, async () => {
  const service = await useService()
  const key = await service.guest()
  const other = closedAfter(new Database(join(service.dataDir, 'quantd.db')))

  const compute = (wealth: number) => service.call(COMPUTED, { key, body: { wealth } })

  it('delays one transaction, not each of them, and is used again as soon as it is free', async () => {
    const before = (await compute(2)).headers.get('x-credits-remaining')
    other.exec('BEGIN IMMEDIATE')
    assert.equal((await compute(2)).status, 503)
    const times: number[] = []
    for (let i = 0; i < 10; i++) {
      const startedAt = performance.now()
      assert.equal((await compute(i % 2 === 0 ? 2 : -1)).status, 503)
      times.push(performance.now() - startedAt)
    }
    // Each would wait for this time, during which nobody is served.
    assert.ok(Math.min(...times) < SQLITE_LOCK_MS.service, `the calls took ${times} ms`)
    other.exec('ROLLBACK')
    const answer = await compute(2)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('x-credits-remaining'), String(Number(before) - 1))
  })

  it('can still be read: balance, profile and history', async () => {
    await compute(2)
    const before = await service.call('/user/credits', { key })
    other.exec('BEGIN IMMEDIATE')
    for (const path of ['/user/credits', '/user/profile', '/user/usage/summary']) {
      const { body, status } = await service.call(path, { key })
      assert.equal(status, 200, `${path} ${JSON.stringify(body)}`)
      if (path === '/user/credits') assert.equal(body.data.credits, before.body.data.credits)
    }
    assert.equal((await compute(2)).status, 503)
    other.exec('ROLLBACK')
    assert.equal((await compute(2)).status, 200)
  })

  it('is waited for by a command, which then is done', async () => {
    other.exec('BEGIN IMMEDIATE')
    const created = operator(settingsOf(service))(['admin', 'create', 'waiting@example.org'])
    await sleep(2 * SQLITE_LOCK_MS.service)
    other.exec('ROLLBACK')
    const { code, err } = await created
    assert.equal(code, 0, err)
  })

  it('is not kept open by a start that has failed', () => {
    const file = join(service.dataDir, 'other.db')
    const lock = new Database(file)
    lock.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; CREATE TABLE held (id INTEGER)')
    assert.throws(() => openSqlite({ file }), { name: 'NotCommitted' })
    lock.close()
    // The last connection that closes removes the log.
    assert.ok(!existsSync(`${file}-wal`))
  })
})
