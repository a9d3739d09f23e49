/** The disk under PostgreSQL is full: calls are refused, /readyz says so, and both recover by themselves. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type LedgerAccount, ledgerAccount, ledgerStateOf, sqlOf } from '../support/ledger-accounts.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { NOTICED_MS, timeTaken } from '../support/time-taken.ts'
import { until } from '../support/until.ts'

const PATH = '/quantlib/economics/utility/log'
const run = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

const disk = temporaryFolder('disk')
const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk)

describe('PostgreSQL on a disk', { skip: isMounted ? false : 'a file system cannot be mounted here' }, () => {
  let server: Postgres
  let service: TestService
  let account: LedgerAccount
  before(async () => {
    chmodSync(disk, 0o755)
    server = await startPostgres(disk)
    service = await startTestService({ DATABASE_URL: server.url })
    const sql = sqlOf(service)
    account = await ledgerAccount(service, sql, { credits: 100_000, hourLimit: 100_000 })
    await sql.close()
  })
  after(async () => {
    await service.close()
    await server.stop()
    run('umount', disk)
  })
  const fill = () => {
    const { bavail, bsize } = statfsSync(disk)
    try {
      writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize))
    } catch (error) {
      // PostgreSQL has taken some of it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  const compute = () => service.callOnce(PATH, { key: account.key, body: { wealth: 2 } })
  const readiness = async () => (await service.callOnce('/readyz')).status

  it('that is full makes every call fail, and /readyz soon says so, until there is room', async () => {
    await until(async () => (await readiness()) === 200, 'the node was ready')
    fill()
    await until(async () => (await compute()).status === 503, 'a call was refused')
    const { ms } = await timeTaken(() =>
      until(async () => (await readiness()) === 503, 'the node was not ready'),
    )
    assert.ok(ms < NOTICED_MS, `reported after ${ms} ms`)
    assert.equal((await compute()).status, 503)
    rmSync(join(disk, 'ballast'))
    await until(async () => (await readiness()) === 200, 'the node was ready again')
    await until(async () => (await compute()).status === 200, 'calls succeed again')
    const sql = sqlOf(service)
    const isExact = async () => {
      const { balance, debited, given } = await ledgerStateOf(sql, account.id)
      return balance === given - debited
    }
    await until(isExact, 'the balance agrees with the ledger')
    await sql.close()
  })
})
