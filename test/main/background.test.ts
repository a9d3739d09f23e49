/** Background work at a start: the refund journals of ended processes. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestService } from '../support/service.ts'

test('journals of ended processes are adopted at the start, including those with the former name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-journals-'))
  const file = (name: string) => join(folder, name)
  const left = ['refunds-3.ndjson', 'doubts.ndjson', 'doubts-3.ndjson'].map(file)
  for (const journal of left) writeFileSync(journal, '\n{"auditId":"unknown","accountId":1}')
  writeFileSync(file('other.ndjson'), '')
  const service = await startTestService({ QUANTD_DATA_DIR: folder })
  try {
    assert.deepEqual(
      left.filter((journal) => existsSync(journal)),
      [],
    )
    assert.equal(existsSync(file('refunds.ndjson')), true, 'their calls are kept until they are refunded')
    assert.equal(existsSync(file('other.ndjson')), true)
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
