/** The journals that nodes have left in their folders. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { adoptJournals, nodeFolder } from '../../../src/app/main/supervisor.ts'
import { lockFolder } from '../../../src/ledger/store/sqlite/folder-lock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('journals of nodes that do not run are adopted, not those of running ones', () => {
  const dataDir = temporaryFolder('nodes')
  const folders = [2, 3].map((node) => nodeFolder(dataDir, node))
  const [ended, running] = folders.map((folder) => join(folder, 'refunds.ndjson'))
  const adopted: string[] = []
  for (const folder of [...folders, nodeFolder(dataDir, 4)]) mkdirSync(folder)
  for (const journal of [ended!, running!]) writeFileSync(journal, '')
  const lock = lockFolder(folders[1])
  adoptJournals(dataDir, { adopt: (file) => adopted.push(file) })
  assert.deepEqual(adopted, [ended])
  lock.release()
  adoptJournals(dataDir, { adopt: (file) => adopted.push(file) })
  assert.deepEqual(adopted.slice(1).sort(), [ended, running])
  assert.equal(existsSync(join(nodeFolder(dataDir, 4), 'service.lock')), false)
})
