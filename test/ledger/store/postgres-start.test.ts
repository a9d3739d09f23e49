/** Starts whose connection to PostgreSQL is lost on the way. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { asAdmin } from '../../support/as-admin.ts'
import { openCommitProxy } from '../../support/commit-proxy.ts'
import { createDatabase } from '../../support/postgres.ts'
import { closedAfter, startTestService } from '../../support/service.ts'

const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? false : 'PostgreSQL only'

describe('a start on PostgreSQL', { skip }, () => {
  it('succeeds whichever COMMIT of it loses its connection', async () => {
    const databaseUrl = await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!)
    let starts = 0
    while (await startCutAt(databaseUrl, starts)) starts++
    assert.ok(starts > 2)
  })

  it('is refused with one line where the encoding of the database cannot hold every name', async () => {
    const url = await newDatabase("ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
    await assert.rejects(startTestService({ DATABASE_URL: url }), {
      name: 'ConfigError',
      message: /^The database in DATABASE_URL has the encoding LATIN1, [^\n]* ENCODING 'UTF8'/,
    })
  })

  it('finds keys whatever the database sets for its sessions', async () => {
    const url = await newDatabase('')
    for (const setting of ['bytea_output = escape', 'standard_conforming_strings = off'])
      await asAdmin(url, (admin) => admin.query(`ALTER DATABASE ${nameIn(url)} SET ${setting}`))
    const service = closedAfter(await startTestService({ DATABASE_URL: url }))
    const { status, text } = await service.call('/user/profile', { key: await service.guest() })
    assert.equal(status, 200, text)
  })
})

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

/** An empty database. @param options of CREATE DATABASE */
async function newDatabase(options: string): Promise<string> {
  const url = new URL(process.env.QUANTD_TEST_POSTGRES_URL!)
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(url.href, (admin) => admin.query(`CREATE DATABASE ${name} ${options}`))
  url.pathname = `/${name}`
  return url.href
}

/** Starts and stops a service; false if no connection of the start was cut, because it sends fewer COMMITs. */
async function startCutAt(databaseUrl: string, spared: number): Promise<boolean> {
  const proxy = await openCommitProxy(databaseUrl)
  try {
    const cut = proxy.cut('before', 60_000, spared)
    const service = await startTestService({ DATABASE_URL: proxy.url })
    const hasCut = await Promise.race([cut, Promise.resolve(false)])
    await service.close()
    return hasCut
  } finally {
    proxy.close()
  }
}
