/** Background work at a start: the refund journal of the first version. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { closedAfter, startTestService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test('a journal with its former name is adopted at the start', async () => {
  const folder = temporaryFolder('journals')
  const file = (name: string) => join(folder, name)
  writeFileSync(file('doubts.ndjson'), '\n{"auditId":"unknown","accountId":1}')
  writeFileSync(file('other.ndjson'), '')
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
  closedAfter(await startTestService({ QUANTD_DATA_DIR: folder }, { log }))
  assert.equal(existsSync(file('doubts.ndjson')), false)
  const resolved = () => lines.find((line) => line.includes('unresolved debits refunded'))
  await until(() => resolved() !== undefined, 'its calls are looked up')
  assert.equal(JSON.parse(resolved()!).calls, 1)
  assert.equal(existsSync(file('other.ndjson')), true)
})
