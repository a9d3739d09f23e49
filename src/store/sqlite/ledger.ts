/** The hot path on SQLite: key lookups and the ledger's batches, by prepared statements. */
import type { Database } from 'better-sqlite3'
import { decide } from '../../ledger/decide.ts'
import {
  type Binding,
  bindingId,
  type Entry,
  type LedgerAccount,
  type LedgerKey,
  type LedgerSnapshot,
  type RefusalCount,
  type Verdict,
} from '../../ledger/types.ts'
import { type AccountRow, accountColumns, accountOf, type BindingRow, bindingOf } from '../rows.ts'
import type { KnownKey } from '../store.ts'
import { auditWriter } from './audit.ts'

/** There is nothing an answered call could lose: what was written outlives the process. */
const EPOCH = 'sqlite'

export function ledgerOn(db: Database, now: () => number) {
  const rows = currentRows(db)
  const findKey = db.prepare(
    `SELECT k.id AS keyId, k.account_id AS accountId, k.status, a.verified_at IS NOT NULL AS verified, a.expires_at AS expiresAt
     FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?`,
  )
  const find = (hash: Uint8Array, at: number): KnownKey | null => {
    const name = Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1')
    let key = rows.lookups.get(name)
    // A refusal has no transaction behind it that would look again.
    if (key === undefined || !isUsable(key, at)) {
      const row = findKey.get(hash) as (Omit<KnownKey, 'verified' | 'now'> & { verified: number }) | undefined
      if (row === undefined) return null
      key = { ...row, verified: row.verified === 1 }
      rows.lookups.set(name, key)
    }
    return { ...key, now: at }
  }
  const read = readers(db, rows)
  const write = writers(db)
  return {
    lookup(hashes: readonly Uint8Array[]): (KnownKey | null)[] {
      const at = now()
      rows.refreshNowAndThen(at)
      return hashes.map((hash) => find(hash, at))
    },
    /** Runs inside the caller's transaction; its rows may be reused once that has committed. */
    commit(entries: readonly Entry[], again: boolean): Verdict[] {
      rows.refresh()
      const { verdicts, writes } = decide(read(entries, again, now()), entries)
      writes.accounts.forEach(write.account)
      write.audit(writes.audit)
      writes.bindings.forEach(write.binding)
      writes.refusals.forEach(write.refusal)
      for (const account of writes.accounts) rows.accounts.set(account.id, account)
      return verdicts
    },
    /** To be called after anything else was written, or a batch was not committed. */
    forget: rows.forget,
  }
}

const isUsable = ({ expiresAt, status, verified }: Omit<KnownKey, 'now'>, at: number): boolean =>
  status === 'active' && verified && (expiresAt === null || expiresAt > at)

const MOST_ROWS = 10_000
const FRESH_MS = 5

/**
 * Rows as they were last read or written. They are exact, not merely recent: this connection's own writes pass
 * through here, and SQLite's data_version tells, at each use, whether another connection has committed since.
 */
function currentRows(db: Database) {
  const dataVersion = db.prepare('PRAGMA data_version').pluck()
  const accounts = new Map<number, LedgerAccount>()
  const keys = new Map<number, LedgerKey>()
  const lookups = new Map<string, Omit<KnownKey, 'now'>>()
  let version = dataVersion.get()
  const forget = (): void => {
    for (const rows of [accounts, keys, lookups]) rows.clear()
  }
  let lookedAt = 0
  const refresh = (): void => {
    const found = dataVersion.get()
    if (found === version && accounts.size + lookups.size < MOST_ROWS) return
    version = found
    forget()
  }
  return {
    accounts,
    keys,
    lookups,
    forget,
    refresh,
    /** Enough for authentication, which the admission repeats inside its transaction. */
    refreshNowAndThen(at: number): void {
      if (Math.abs(at - lookedAt) < FRESH_MS) return
      lookedAt = at
      refresh()
    },
  }
}

function readers(db: Database, rows: ReturnType<typeof currentRows>) {
  const account = db.prepare(`SELECT ${accountColumns} FROM accounts WHERE id = ?`)
  const key = db.prepare('SELECT id, account_id AS accountId, status FROM api_keys WHERE id = ?')
  const remembered = <Value>(known: Map<number, Value>, id: number, find: () => Value | undefined) => {
    const value = known.get(id) ?? find()
    if (value !== undefined) known.set(id, value)
    return value
  }
  const accountById = (id: number) =>
    remembered(rows.accounts, id, () => {
      const row = account.get(id) as AccountRow | undefined
      return row === undefined ? undefined : accountOf(row)
    })
  const keyById = (id: number) => remembered(rows.keys, id, () => key.get(id) as LedgerKey | undefined)
  const binding = db.prepare('SELECT * FROM bindings WHERE account_id = ? AND idempotency_key = ?')
  const audit = db.prepare('SELECT credits, replayed FROM audit WHERE id = ?')
  return (entries: readonly Entry[], again: boolean, now: number): LedgerSnapshot => {
    const accounts = new Map<number, LedgerAccount>()
    const keys = new Map<number, LedgerKey>()
    const bindings = new Map<string, Binding>()
    const written = new Map<string, { credits: number; replayed: boolean }>()
    for (const { step, call } of entries) {
      const itsAccount = accountById(call.accountId)
      if (itsAccount !== undefined) accounts.set(itsAccount.id, itsAccount)
      const itsKey = keyById(call.keyId)
      if (itsKey !== undefined) keys.set(itsKey.id, itsKey)
      if (step === 'refusal') continue
      if (call.idempotency !== null) {
        const row = binding.get(call.accountId, call.idempotency.key) as BindingRow | undefined
        if (row !== undefined) bindings.set(bindingId(call.accountId, call.idempotency.key), bindingOf(row))
      }
      if (again) {
        const row = audit.get(call.id) as { credits: number; replayed: number } | undefined
        if (row !== undefined) written.set(call.id, { credits: row.credits, replayed: row.replayed === 1 })
      }
    }
    return { now, epoch: EPOCH, again, accounts, keys, bindings, written }
  }
}

function writers(db: Database) {
  const account = db.prepare(
    `UPDATE accounts SET balance = ?, minute_started_at = ?, minute_count = ?, hour_started_at = ?, hour_count = ?,
     day_started_at = ?, day_count = ? WHERE id = ?`,
  )
  const audit = auditWriter(db)
  const binding = db.prepare(
    `INSERT OR REPLACE INTO bindings (account_id, idempotency_key, request_hash, audit_id, expires_at, replayed)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const refusal = db.prepare(
    `INSERT INTO refusals (key_id, account_id, ip, code, minute, count) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (key_id, ip, code, minute) DO UPDATE SET count = count + excluded.count`,
  )
  return {
    account: (a: LedgerAccount) =>
      account.run(
        a.balance,
        a.minute.startedAt,
        a.minute.count,
        a.hour.startedAt,
        a.hour.count,
        a.day.startedAt,
        a.day.count,
        a.id,
      ),
    audit,
    binding: (b: Binding) =>
      binding.run(b.accountId, b.idempotencyKey, b.requestHash, b.auditId, b.expiresAt, b.replayed ? 1 : 0),
    refusal: (r: RefusalCount) => refusal.run(r.keyId, r.accountId, r.ip, r.code, r.minute, r.count),
  }
}
