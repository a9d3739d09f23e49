/**
 * The disk under SQLite is full, or does not take what is forced to it: the service fails closed, says why, and recovers by
 * itself.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type NodeProcess, nodeProcess } from '../support/node-process.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { sqliteSql } from '../support/plain-sql.ts'
import { type Answer, createGuest, request } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { NOTICED_MS, timeTaken } from '../support/time-taken.ts'
import { until } from '../support/until.ts'

const PATH = '/quantlib/economics/utility/log'
const run = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

const disk = temporaryFolder('disk')
/** While it exists, the disk does not take what is forced to it. */
const broken = join(disk, 'broken')
/** The same, once. */
const brokenOnce = join(disk, 'broken-once')
const BREAKABLE_FLUSH = `data:text/javascript,${encodeURIComponent(`
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { fdatasync } = fs
fs.fdatasync = (handle, callback) => {
  const fails = fs.existsSync(${JSON.stringify(broken)}) || fs.existsSync(${JSON.stringify(brokenOnce)})
  fs.rmSync(${JSON.stringify(brokenOnce)}, { force: true })
  fails ? setImmediate(callback, new Error('EIO')) : fdatasync(handle, callback)
}
syncBuiltinESMExports()`)}`
const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk)

describe('SQLite on a disk', { skip: isMounted ? false : 'a file system cannot be mounted here' }, () => {
  const unasked: string[] = []
  let node: NodeProcess
  let key: string
  before(async () => {
    node = await nodeProcess({
      dataDir: join(disk, 'data'),
      settings: { LOG_LEVEL: 'warn', QUANTD_COMPUTE_THREADS: '1', QUANTD_MIN_FREE_MIB: '0' },
      execArgv: ['--import', BREAKABLE_FLUSH],
      onUnasked: (message) => unasked.push(message),
    })
    await node.start()
    key = await createGuest(node.url)
    const sql = sqliteSql(join(disk, 'data', 'quantd.db'))
    await sql.query('UPDATE accounts SET balance = 100000, hour_limit = 100000, day_limit = 100000')
    await sql.query('UPDATE ledger SET amount = 100000')
    await sql.close()
  })
  after(async () => {
    await node.kill9()
    run('umount', disk)
  })

  const compute = () => request(node.url + PATH, { key, body: { wealth: 2 } })

  /** Asks until it is refused; every answer before that is a full one. */
  async function untilRefused(): Promise<{ refused: Answer; answered: number }> {
    for (let answered = 0; answered < 20_000; answered++) {
      const answer = await compute()
      if (answer.status !== 200) return { refused: answer, answered }
    }
    throw new Error('the disk never became full')
  }

  async function recovers(): Promise<void> {
    await until(async () => (await compute()).status === 200, 'the disk took writes again')
  }

  const readiness = async () => (await request(`${node.url}/readyz`)).status

  const isReported = () => until(async () => (await readiness()) === 503, 'the node was not ready')

  async function ledgerSums(): Promise<{ balance: number; debited: number; refunded: number }> {
    const sql = sqliteSql(join(disk, 'data', 'quantd.db'))
    const [sums] = await sql.query<{ balance: number; debited: number; refunded: number }>(
      `SELECT balance, (SELECT sum(credits) FROM audit) AS debited,
       (SELECT coalesce(sum(amount), 0) FROM ledger WHERE kind = 'refund') AS refunded FROM accounts`,
    )
    await sql.close()
    return sums!
  }

  async function ledgerIsExact(answered: number): Promise<void> {
    const isRefunded = async () => {
      const { debited, refunded } = await ledgerSums()
      return debited - refunded === answered
    }
    await until(isRefunded, 'what was debited was what was answered')
    const { balance, debited, refunded } = await ledgerSums()
    assert.equal(balance, 100_000 - debited + refunded)
  }

  it('that is full answers 503 without a charge, with a line in the log, until there is room', async () => {
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - 40_000)))
    const filled = await untilRefused()
    assert.equal(filled.refused.status, 503, filled.refused.text)
    assert.equal(filled.refused.body.error.code, 'unavailable')
    assert.ok(Number(filled.refused.headers.get('retry-after')) >= 1)
    for (let i = 0; i < 5; i++) assert.equal((await compute()).status, 503)
    // The refused group leaves the log some pages, into which the writes of a few pings fit, one every 500 ms.
    await isReported()
    assert.equal((await request(`${node.url}/healthz`)).status, 200)
    const command = operator(settingsOf({ dataDir: join(disk, 'data'), databaseUrl: null }))
    // It notes the time of the check.
    const { err } = await command(['admin', 'verify-ledger'])
    assert.match(err, /^quantd: SQLite .*full\), so the change may or may not have been made/)
    rmSync(join(disk, 'ballast'))
    await recovers()
    await until(async () => (await readiness()) === 200, 'the node was ready again')
    await ledgerIsExact(filled.answered + 1)
    assert.match(readFileSync(join(disk, 'data', 'log'), 'utf8'), /disk|full|SQLite/)
    assert.deepEqual(unasked, [])
  })

  it('that refuses to force the log is reported by /readyz without a call, until it recovers by itself', async () => {
    assert.equal(await readiness(), 200)
    writeFileSync(broken, '')
    const { ms } = await timeTaken(isReported)
    assert.ok(ms < NOTICED_MS, `reported after ${ms} ms`)
    rmSync(broken)
    await until(async () => (await readiness()) === 200, 'the node was ready again')
    assert.equal((await compute()).status, 200)
  })

  it('that loses a piece of the log, and reports that only once, loses no answered call in a power failure', async () => {
    const [file, copy] = [join(disk, 'data', 'quantd.db'), join(disk, 'copy.db')]
    assert.equal((await compute()).status, 200)
    const before = readFileSync(`${file}-wal`)
    writeFileSync(brokenOnce, '')
    const { headers, status } = await compute()
    assert.deepEqual([status, existsSync(brokenOnce)], [200, false])
    copyFileSync(file, copy)
    // The kernel takes what it could not write for written.
    const isEmptied = readFileSync(`${file}-wal`).length === 0
    writeFileSync(`${copy}-wal`, isEmptied ? '' : before)
    const sql = sqliteSql(copy)
    const id = headers.get('x-request-id')
    const found = await sql.query('SELECT credits FROM audit WHERE request_id = $1', [id])
    const check = await sql.query('PRAGMA integrity_check')
    await sql.close()
    assert.deepEqual([found, check], [[{ credits: 1 }], [{ integrity_check: 'ok' }]])
  })
})
