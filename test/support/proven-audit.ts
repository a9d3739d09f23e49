/** A SQLite database with a proven audit of several days, streams and accounts, and the checkpoints that were exported of it. */
import { copyFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { eraseAccount, eraseRemains } from '../../src/accounts/delete-account.ts'
import type { Stream } from '../../src/ledger/proofs/group.ts'
import { keptFrom, makeCheckpoint, rotateSigningKey } from '../../src/ledger/receipts/make-checkpoint.ts'
import type { Entry } from '../../src/ledger/rules/types.ts'
import { writeEvent } from '../../src/ledger/store/events.ts'
import { rows as rowsOf } from '../../src/ledger/store/sql.ts'
import { openSqlite } from '../../src/ledger/store/sqlite/open.ts'
import { fixedMasterKeys, parseMasterKeys } from '../../src/secrets/master-keys.ts'
import { openVault } from '../../src/secrets/vault.ts'
import { call, failure, success } from './ledger-in-memory.ts'
import { operatorEvent } from './new-account.ts'
import { random } from './random.ts'
import { TEST_MASTER_KEY } from './service.ts'

export const ACCOUNTS = 40
const DAY_MS = 86_400_000
export const DAYS = 4

export const testVault = () => openVault(fixedMasterKeys(parseMasterKeys(TEST_MASTER_KEY, 'TEST')))

/**
 * Writes so many rows, in groups of up to 60, by several writers one after another.
 * @param from where the days begin, in days before the present
 * @param until where they end
 */
export async function writeAudit(
  file: string,
  rows: number,
  seed: number,
  from = DAYS,
  until = 0,
  retentionMs: number | null = null,
): Promise<void> {
  const draw = random(seed)
  const vault = testVault()
  let offset = -from * DAY_MS
  const step = Math.round(((from - until) * DAY_MS) / (rows / 30))
  for (let written = 0, writer = 0; written < rows; writer++) {
    const store = openSqlite({ file, clockOffsetMs: () => offset })
    if (writer === 0) addAccounts(file)
    let eventStream: Stream | null = null
    const signs = async () => {
      ;({ eventStream } = (await store.run(makeCheckpoint, { vault, retentionMs, eventStream }))!)
    }
    for (const end = written + rows / 6; written < Math.min(rows, end); ) {
      const size = 1 + Math.floor(60 * draw())
      const entries = Array.from({ length: size }, (): Entry => {
        const accountId = 1 + Math.floor(ACCOUNTS * draw())
        const fields = {
          accountId,
          keyId: accountId,
          path: `/quantlib/pricing/bs/${draw() < 0.5 ? 'price' : 'greeks'}`,
        }
        const content = Math.floor(2 ** 32 * draw())
          .toString(16)
          .padStart(64, '0')
        const outcome = { ...(draw() < 0.9 ? success : failure), content }
        const ip = `192.0.2.${Math.floor(250 * draw())}`
        return { step: 'admitAndSettle', call: call({ id: crypto.randomUUID(), ...fields, ip }), outcome }
      })
      await store.commit({ entries })
      written += size
      offset = Math.min(-until * DAY_MS, offset + step)
      if (draw() < 0.1) {
        const at = Date.now() + offset
        await store.run(writeEvent, operatorEvent(), { at, accountId: 1, keyId: null, name: 'noted' })
        written += 1
      }
      if (draw() < 0.05) await signs()
    }
    await signs()
    await store.close()
  }
}

/** Adds accounts with the ids from 1, each with a key of the same id. */
export function addAccounts(file: string): void {
  const db = new Database(file)
  const account = db.prepare(
    `INSERT OR IGNORE INTO accounts (id, uid, tier, balance, created_at, verified_at, hour_limit)
     VALUES (?, ?, 'free', 1000000000, 0, 1, 1000000000)`,
  )
  const key = db.prepare(
    `INSERT OR IGNORE INTO api_keys (id, uid, account_id, hash, master_key_id, sealed, status, created_at)
     VALUES (?, ?, ?, ?, 'm', x'00', 'active', 0)`,
  )
  for (let id = 1; id <= ACCOUNTS; id++) {
    account.run(id, `account ${id}`)
    key.run(id, `key ${id}`, id, Buffer.from(`hash ${id}`))
  }
  db.close()
}

/** The retention: its clean-up removes at least a tenth of a day. */
const RETENTION_MS = (DAYS - 1.1) * DAY_MS

/**
 * Two files of an audit: the whole, whose signing key has been replaced, and from which the oldest days and the addresses of one
 * account were removed; and a copy that was made halfway.
 * @param rows how many are written
 */
export async function provenAudit(folder: string, rows: number, seed: number) {
  const [file, backup] = [`${folder}/audit.db`, `${folder}/backup.db`]
  await writeAudit(file, rows / 2, seed, DAYS, DAYS / 2)
  copyFileSync(file, backup)
  let offset = (0.1 - DAYS / 2) * DAY_MS
  const store = openSqlite({ file, clockOffsetMs: () => offset })
  await store.run(rotateSigningKey, { vault: testVault(), retentionDays: null, event: operatorEvent() })
  await store.close()
  await writeAudit(file, rows / 2, seed + 1, DAYS / 2 - 0.1)
  offset = 0
  const later = openSqlite({ file, clockOffsetMs: () => offset })
  await later.run(makeCheckpoint, { vault: testVault(), retentionMs: RETENTION_MS, eventStream: null })
  const { from } = await later.run(keptFrom)
  await later.run((sql) => rowsOf(sql.db.deleteFrom('audit').where('at', '<', from)))
  await later.run(eraseAccount, { accountId: ACCOUNTS })
  await eraseRemains(later, null)
  offset = DAY_MS
  await eraseRemains(later, null)
  await later.close()
  return { file, backup }
}
