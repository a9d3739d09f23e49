/** Background work at a start: the refund journal of the first version. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestService } from '../../support/service.ts'

test('a journal with its former name is adopted at the start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-journals-'))
  const file = (name: string) => join(folder, name)
  writeFileSync(file('doubts.ndjson'), '\n{"auditId":"unknown","accountId":1}')
  writeFileSync(file('other.ndjson'), '')
  const service = await startTestService({ QUANTD_DATA_DIR: folder })
  try {
    assert.equal(existsSync(file('doubts.ndjson')), false)
    assert.equal(existsSync(file('refunds.ndjson')), true, 'their calls are kept until they are refunded')
    assert.equal(existsSync(file('other.ndjson')), true)
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
