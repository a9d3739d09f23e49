/** Starts whose connection to PostgreSQL is lost on the way. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openCommitProxy } from '../support/commit-proxy.ts'
import { createDatabase } from '../support/postgres.ts'
import { startTestService } from '../support/service.ts'

const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? false : 'PostgreSQL only'

describe('a start on PostgreSQL', { skip }, () => {
  it('succeeds whichever COMMIT of it loses its connection', async () => {
    const databaseUrl = await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!)
    let starts = 0
    while (await startCutAt(databaseUrl, starts)) starts++
    assert.ok(starts > 2)
  })
})

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
