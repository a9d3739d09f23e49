/** The prepared statements of key look-ups and group commits on SQLite. */
import type { Database } from 'better-sqlite3'
import { decide } from '../../ledger/decide.ts'
import type { Tiers } from '../../ledger/tiers.ts'
import {
  type AuditRow,
  type Binding,
  bindingId,
  type Entry,
  type LedgerAccount,
  type LedgerKey,
  type LedgerSnapshot,
  type Verdict,
} from '../../ledger/types.ts'
import {
  type AccountRow,
  accountColumns,
  accountFields,
  accountFrom,
  auditColumns,
  type BindingRow,
  bindingColumns,
  bindingFrom,
  type Column,
  namesOf,
  ON_CONFLICT,
  refusalColumns,
} from '../ledger-rows.ts'
import type { KnownKey } from '../store.ts'
import { currentRows } from './row-cache.ts'

/** Never changes: what was written outlives the process, so an answered call cannot be lost. */
const EPOCH = 'sqlite'

export function ledgerOn(db: Database, now: () => number, tiers: Tiers) {
  const rows = currentRows(db)
  const findKey = db.prepare(
    `SELECT k.id AS keyId, k.account_id AS accountId, k.status, a.verified_at IS NOT NULL AS verified, a.expires_at AS expiresAt
     FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?`,
  )
  const find = (hash: Uint8Array, at: number): KnownKey | null => {
    const name = Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1')
    let key = rows.lookups.get(name)
    // No transaction checks a refused key again, so a key that looks unusable is read anew each time.
    if (key === undefined || !isUsable(key, at)) {
      const row = findKey.get(hash) as (Omit<KnownKey, 'verified' | 'now'> & { verified: number }) | undefined
      if (row === undefined) return null
      key = { ...row, verified: row.verified === 1 }
      rows.lookups.set(name, key)
    }
    return { ...key, now: at }
  }
  const read = readers(db, rows, tiers)
  const write = writers(db)
  return {
    lookup(hashes: readonly Uint8Array[]): (KnownKey | null)[] {
      const at = now()
      rows.refreshIfStale(at)
      return hashes.map((hash) => find(hash, at))
    },
    /** Runs inside the caller's transaction. On rollback the caller must call `forget`. */
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
    /** Call it when anything else is written, or a group was not committed. */
    forget: rows.forget,
  }
}

const isUsable = ({ expiresAt, status, verified }: Omit<KnownKey, 'now'>, at: number): boolean =>
  status === 'active' && verified && (expiresAt === null || expiresAt > at)

function readers(db: Database, rows: ReturnType<typeof currentRows>, tiers: Tiers) {
  const account = db.prepare(`SELECT ${accountFields} FROM accounts WHERE id = ?`)
  const key = db.prepare('SELECT id, account_id AS accountId, status FROM api_keys WHERE id = ?')
  const cached = <Value>(cache: Map<number, Value>, id: number, find: () => Value | undefined) => {
    const value = cache.get(id) ?? find()
    if (value !== undefined) cache.set(id, value)
    return value
  }
  const accountById = (id: number) =>
    cached(rows.accounts, id, () => {
      const row = account.get(id) as AccountRow | undefined
      return row === undefined ? undefined : accountFrom(row)
    })
  const keyById = (id: number) => cached(rows.keys, id, () => key.get(id) as LedgerKey | undefined)
  const binding = db.prepare('SELECT * FROM bindings WHERE account_id = ? AND idempotency_key = ?')
  const audit = db.prepare('SELECT credits, replayed FROM audit WHERE id = ?')
  return (entries: readonly Entry[], again: boolean, now: number): LedgerSnapshot => {
    const accounts = new Map<number, LedgerAccount>()
    const keys = new Map<number, LedgerKey>()
    const bindings = new Map<string, Binding>()
    const written = new Map<string, { credits: number; replayed: boolean }>()
    for (const { step, call } of entries) {
      const ownAccount = accountById(call.accountId)
      if (ownAccount !== undefined) accounts.set(ownAccount.id, ownAccount)
      const ownKey = keyById(call.keyId)
      if (ownKey !== undefined) keys.set(ownKey.id, ownKey)
      if (step === 'refusal') continue
      if (call.idempotency !== null) {
        const row = binding.get(call.accountId, call.idempotency.key) as BindingRow | undefined
        if (row !== undefined) bindings.set(bindingId(call.accountId, call.idempotency.key), bindingFrom(row))
      }
      if (again) {
        const row = audit.get(call.id) as { credits: number; replayed: number } | undefined
        if (row !== undefined) written.set(call.id, { credits: row.credits, replayed: row.replayed === 1 })
      }
    }
    return { now, epoch: EPOCH, again, tiers, accounts, keys, bindings, written }
  }
}

function writers(db: Database) {
  const changed = accountColumns.filter(({ name }) => name !== 'id')
  const account = db.prepare(
    `UPDATE accounts SET ${changed.map(({ name }) => `${name} = ?`).join(', ')} WHERE id = ?`,
  )
  return {
    account: (one: LedgerAccount) => account.run(...changed.map(({ value }) => value(one)), one.id),
    audit: auditWriter(db),
    binding: inserter(db, 'bindings', bindingColumns, ON_CONFLICT.bindings),
    refusal: inserter(db, 'refusals', refusalColumns, ON_CONFLICT.refusals),
  }
}

function inserter<Item>(db: Database, table: string, columns: readonly Column<Item>[], onConflict: string) {
  const places = columns.map(() => '?').join(', ')
  const insert = db.prepare(`INSERT INTO ${table} (${namesOf(columns)}) VALUES (${places}) ${onConflict}`)
  return (item: Item) => insert.run(...columns.map(({ value }) => value(item)))
}

/** The debits: a row for each call, with its credits; several rows to a statement, with the values that most share as literals. */
function auditWriter(db: Database): (rows: readonly AuditRow[]) => void {
  const insertUsual = rowsInserter(db, boundColumns, usualColumns)
  const insertAny = rowsInserter(db, auditColumns, [])
  return (rows) => {
    const [usual, others]: [AuditRow[], AuditRow[]] = [[], []]
    for (const row of rows) (isUsual(row) ? usual : others).push(row)
    insertUsual(usual)
    insertAny(others)
  }
}

/** Rows per statement: most of the cost of a single row is the statement around it. */
const SIZES = [16, 4, 1] as const

/** A computation that succeeded. Each value that is not bound saves 0.2 µs. */
const USUAL: Readonly<Record<string, string | number | null>> = {
  kind: 'computation',
  method: 'POST',
  status: 200,
  code: null,
  replayed: 0,
  detail: null,
}
const usualColumns = auditColumns.filter(({ name }) => name in USUAL)
const boundColumns = auditColumns.filter(({ name }) => !(name in USUAL))

const isUsual = (row: AuditRow): boolean =>
  usualColumns.every(({ name, value }) => value(row) === USUAL[name])

/**
 * A failed statement rolls back its transaction, as the caller does anyway. By default (OR ABORT) SQLite would write each page
 * to a file before a statement of several rows changes it, to undo that statement alone: a sixth of the cost of a group.
 */
const INSERT = 'INSERT OR ROLLBACK INTO audit'

function rowsInserter(
  db: Database,
  bound: readonly Column<AuditRow>[],
  literal: readonly Column<AuditRow>[],
) {
  const names = namesOf([...bound, ...literal])
  const places = `(${[...bound.map(() => '?'), ...literal.map(({ name }) => literalOf(USUAL[name]))].join(', ')})`
  const statements = SIZES.map((size) => ({
    size,
    insert: db.prepare(`${INSERT} (${names}) VALUES ${Array(size).fill(places).join(', ')}`),
  }))
  const valuesOf = (rows: readonly AuditRow[]) => {
    const values: unknown[] = []
    for (const row of rows) for (const { value } of bound) values.push(value(row))
    return values
  }
  return (rows: readonly AuditRow[]): void => {
    let next = 0
    for (const { insert, size } of statements)
      for (; next + size <= rows.length; next += size) insert.run(valuesOf(rows.slice(next, next + size)))
  }
}

const literalOf = (value: string | number | null): string =>
  value === null ? 'NULL' : typeof value === 'string' ? `'${value}'` : String(value)
