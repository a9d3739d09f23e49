/** PgBouncer in transaction mode, as Debian packages it, is refused at the start in one line. */
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ConfigError } from '../../../src/app/config/read-config.ts'
import { freePort } from '../../support/free-port.ts'
import { createDatabase, databaseAnswers, type Postgres, startPostgres } from '../../support/postgres.ts'
import { ownedFolder, PROGRAMS, type Program, refuseMissing, start } from '../../support/programs.ts'
import { startTestService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

let postgres: Postgres
let database: string
const poolers: Program[] = []
before(async () => {
  refuseMissing(['pgbouncer'])
  postgres = await startPostgres()
  database = await createDatabase(postgres.url)
})
after(async () => {
  for (const pooler of poolers) await pooler.end('SIGKILL')
  await postgres.stop()
})

/** A PgBouncer in transaction mode; returns the database's URL through it. */
async function throughPooler(settings = ''): Promise<string> {
  const folder = ownedFolder(temporaryFolder('pooler'))
  const [port, target] = [await freePort(), new URL(database)]
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users')]
  writeFileSync(users, `"${target.username}" ""\n`)
  chmodSync(users, 0o644)
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
${settings}
`,
  )
  chmodSync(file, 0o644)
  poolers.push(start(folder, 'pgbouncer', PROGRAMS.pgbouncer.file, [file]))
  const url = new URL(database)
  url.port = String(port)
  await until(() => databaseAnswers(url.href), 'PgBouncer answered')
  return url.href
}

const isRefused = async (url: string) =>
  await assert.rejects(
    startTestService({ DATABASE_URL: url }),
    (error: Error) =>
      error instanceof ConfigError &&
      /^DATABASE_URL leads to a connection pooler such as PgBouncer[^\n]*: name PostgreSQL itself\.$/.test(
        error.message,
      ),
  )

describe('PgBouncer in transaction mode', () => {
  it('is refused, because it takes no settings of a connection', async () => {
    await isRefused(await throughPooler())
  })

  it('is refused too if it was told to ignore them', async () => {
    const names = ['options', 'extra_float_digits', 'idle_in_transaction_session_timeout', 'lock_timeout']
    await isRefused(await throughPooler(`ignore_startup_parameters = ${names.join(', ')}`))
  })
})
