/** quantd backup: the books of one moment, taken while others write, and nothing that opens a key. */
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { operator, settingsOf } from '../../support/operator.ts'
import { COMPUTED, useService } from '../../support/people.ts'
import { closedAfter, startTestService, TEST_MASTER_KEY } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const onPostgres = process.env.QUANTD_TEST_DATABASE === 'postgres'

const folder = temporaryFolder('backup')
const service = await useService()
const quantd = operator(settingsOf(service))

/** A copy as a data folder of its own. */
function restored(copy: string): Record<string, string> {
  const dataDir = mkdtempSync(join(folder, 'restored-'))
  copyFileSync(copy, join(dataDir, 'quantd.db'))
  return { QUANTD_DATA_DIR: dataDir, QUANTD_MASTER_KEY: TEST_MASTER_KEY, PORT: '0', METRICS_PORT: '0' }
}

describe('quantd backup on SQLite', { skip: onPostgres && 'PostgreSQL has pg_dump' }, () => {
  it('copies the books exactly, and the restored service knows every key', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => service.guest()))
    for (const key of keys) await service.compute(key)
    const before = (await quantd(['admin', 'verify-ledger', '--json'])).json
    const file = join(folder, 'books.db')
    const { code, out } = await quantd(['backup', file])
    assert.equal(code, 0)
    assert.match(out, /The master key \(QUANTD_MASTER_KEY\) is not in it/)
    assert.equal(statSync(file).mode & 0o777, 0o600)

    await service.compute(keys[0])
    const settings = restored(file)
    const copy = (await operator(settings)(['admin', 'verify-ledger', '--json'])).json
    assert.deepEqual(copy, before)
    assert.equal(copy.ok, true)
    const later = (await quantd(['admin', 'verify-ledger', '--json'])).json
    assert.notEqual(later.digest, before.digest, 'a call more is another digest')

    const again = closedAfter(await startTestService(settings))
    for (const key of keys)
      assert.equal((await again.call(COMPUTED, { key, body: { wealth: 2 } })).status, 200)
  })

  it('is one moment: taken under load, its books balance and the service refuses nobody', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => service.guest()))
    let running = true
    const statuses: number[] = []
    const clients = keys.map(async (key) => {
      for (let calls = 0; running && calls < 50; calls++) statuses.push((await service.compute(key)).status)
    })
    for (let copy = 0; copy < 3; copy++) {
      const file = join(folder, `load-${copy}.db`)
      assert.equal((await quantd(['backup', file, '--json'])).json.contains_master_key, false)
      const check = await operator(restored(file))(['admin', 'verify-ledger'])
      assert.equal(check.code, 0, check.out)
    }
    running = false
    await Promise.all(clients)
    assert.ok(statuses.every((status) => status === 200))
  })

  it('never overwrites a file, and leaves none where it fails', async () => {
    const file = join(folder, 'kept.db')
    await quantd(['backup', file])
    const bytes = readFileSync(file)
    const { code, err } = await quantd(['backup', file])
    assert.equal(code, 1)
    assert.match(err, /already exists/)
    assert.deepEqual(readFileSync(file), bytes)
    const nowhere = join(folder, 'missing', 'file.db')
    assert.equal((await quantd(['backup', nowhere])).code, 1)
    assert.equal(existsSync(nowhere), false)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    )
    assert.equal((await quantd(['backup'])).code, 2)
  })

  it('names a missing folder, or a folder in place of a file, in one plain line', async () => {
    const missing = join(folder, 'missing')
    assert.equal(
      (await quantd(['backup', join(missing, 'file.db')])).err,
      `quantd: There is no folder ${missing}: create it first. Nothing was copied.\n`,
    )
    assert.equal(
      (await quantd(['backup', folder])).err,
      `quantd: ${folder} is a folder: name a new file in it. Nothing was copied.\n`,
    )
  })

  it('names the file that it cannot write, and why', async () => {
    const { code, err } = await quantd(['backup', '/proc/books.db'])
    assert.equal(code, 1)
    assert.match(err, /^quantd: \/proc\/books\.db cannot be written: ENOENT: .+\. Nothing was copied\.\n$/)
  })

  it('and admin do not say that there is no database where the data folder cannot be read', async () => {
    const dataDir = join(folder, 'loop')
    symlinkSync('loop', dataDir)
    for (const words of [
      ['backup', join(folder, 'unread.db')],
      ['admin', 'list'],
    ]) {
      const { code, err } = await operator({ QUANTD_DATA_DIR: dataDir })(words)
      assert.equal(code, 1)
      assert.match(
        err,
        /^quantd: The data folder \S+loop cannot be read: ELOOP: .+ the user of the service\.\n$/,
      )
    }
  })

  it('makes no copy of a database that is not there', async () => {
    const file = join(folder, 'nothing.db')
    const { code } = await operator({ QUANTD_DATA_DIR: join(folder, 'empty') })(['backup', file])
    assert.equal(code, 1)
    assert.equal(existsSync(file), false)
  })
})

describe('quantd backup on PostgreSQL', { skip: !onPostgres && 'this is SQLite' }, () => {
  it('makes none, and gives the exact command', async () => {
    const file = join(folder, "it's.dump")
    const { code, err } = await quantd(['backup', file])
    assert.equal(code, 1)
    assert.ok(
      err.includes(`pg_dump --format=custom --no-owner --file='${folder}/it'\\''s.dump' "$DATABASE_URL"`),
      err,
    )
    assert.equal(existsSync(file), false)
  })
})
