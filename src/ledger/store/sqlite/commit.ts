/** The prepared statements of key look-ups and group commits on SQLite, and the rows that are kept in memory for them. */
import type { Database } from 'better-sqlite3'
import {
  type AddressSalt,
  addressSalt,
  assertFollows,
  prove,
  remember,
  type Salts,
  type Stream,
} from '../../proofs/group.ts'
import { BrokenAssertion } from '../../rules/assertions.ts'
import { decide } from '../../rules/decide.ts'
import type { LedgerPlan } from '../../rules/plan.ts'
import {
  type Binding,
  bindingId,
  type EntryGroup,
  type LedgerAccount,
  type LedgerKey,
  type LedgerSnapshot,
  type LineageKey,
  type Lot,
  type TeamKey,
  type Verdict,
  type Writes,
} from '../../rules/types.ts'
import { type FoundKey, fromKeys, KEY_FIELDS, type KnownKey, knownKey } from '../known-key.ts'
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
  eventColumns,
  expiringColumns,
  expiryColumns,
  groupColumns,
  type LotRow,
  lineageKeyFrom,
  lotColumns,
  lotFields,
  lotFrom,
  namesOf,
  onConflict,
  refusalColumns,
  saltColumns,
  type TeamKeyRow,
  teamKeyColumns,
  teamKeyFields,
  teamKeyFrom,
} from '../ledger-rows.ts'
import { goesOn, type OpenStream } from '../streams.ts'

/** Never changes: what was written outlives the process, so an answered call cannot be lost. */
const EPOCH = 'sqlite'

/** @param plan is read once for each group
 * @param openStream runs inside the transaction of the first group */
export function ledgerOn(db: Database, now: () => number, plan: () => LedgerPlan, openStream: () => Stream) {
  const rows = currentRows(db)
  const findKey = db.prepare(`SELECT ${KEY_FIELDS} ${fromKeys((table) => table)} WHERE k.hash = ?`)
  const find = (hash: Uint8Array, at: number): KnownKey | null => {
    const name = Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1')
    let key = rows.lookups.get(name)
    // A refused request enters no transaction that would check the key again, so an unusable key is read anew each time.
    if (key === undefined || !isUsable(key, at)) {
      const row = findKey.get(hash) as FoundKey | undefined
      if (row === undefined) return null
      key = knownKey(row)
      rows.lookups.set(name, key)
    }
    return { ...key, now: at }
  }
  const read = readers(db, rows, plan)
  const readSalts = saltReader(db)
  const write = writers(db)
  let stream: OpenStream | null = null
  return {
    lookup(hashes: readonly Uint8Array[]): (KnownKey | null)[] {
      const at = now()
      rows.refreshIfStale(at)
      return hashes.map((hash) => find(hash, at))
    },
    /** Runs inside the caller's transaction. If that is not committed, the caller must call `failed`. Throws BrokenAssertion. */
    commit(group: EntryGroup): Verdict[] {
      rows.refresh()
      const at = now()
      const { verdicts, writes } = decide(read(group, at), group.entries)
      writes.accounts.forEach(write.account)
      writes.teamKeys.forEach(write.teamKey)
      if (writes.lots.length > 0) write.lots(writes)
      if (writes.audit.length > 0) {
        const open = goesOn(stream, at) ?? { stream: openStream(), salts: new Map(), usedAt: at }
        const found = readSalts(writes.audit, open.salts)
        const proven = prove(open.stream, writes.audit, open.salts, found)
        assertFollows(open.stream, writes.audit, proven)
        proven.audit.forEach(write.audit)
        proven.groups.forEach(write.group)
        for (const salt of proven.salts) write.salt(salt)
        for (const more of [found, proven.salts]) remember(open.salts, more)
        stream = { ...open, stream: proven.stream, usedAt: at }
      }
      writes.bindings.forEach(write.binding)
      writes.refusals.forEach(write.refusal)
      writes.events.forEach(write.event)
      for (const account of writes.accounts) rows.accounts.set(account.id, account)
      for (const teamKey of writes.teamKeys) rows.teamKeys.set(teamKey.id, teamKey)
      return verdicts
    },
    /** To be called when other code has written rows. */
    forget: rows.forget,
    /** To be called when a transaction was not committed: the next group begins a stream. */
    failed(): void {
      stream = null
      rows.forget()
    },
  }
}

const isUsable = ({ expiresAt, status, team, verified }: Omit<KnownKey, 'now'>, at: number): boolean =>
  status === 'active' &&
  verified &&
  [expiresAt, team?.endsAt ?? null].every((end) => end === null || end > at)

function readers(db: Database, rows: ReturnType<typeof currentRows>, plan: () => LedgerPlan) {
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
  const teamKey = db.prepare(
    `SELECT ${teamKeyFields} FROM api_keys k JOIN team_keys t ON t.id = k.team_key_id WHERE k.id = ?`,
  )
  const lineageOf = (keyId: number): { key: LineageKey; teamKey: TeamKey } | null => {
    const known = rows.lineageKeys.get(keyId)
    const lineage = known === undefined ? undefined : rows.teamKeys.get(known.teamKeyId)
    if (known !== undefined && lineage !== undefined) return { key: known, teamKey: lineage }
    const row = teamKey.get(keyId) as TeamKeyRow | undefined
    if (row === undefined) return null
    const found = { key: lineageKeyFrom(row), teamKey: teamKeyFrom(row) }
    rows.lineageKeys.set(keyId, found.key)
    rows.teamKeys.set(row.team_key_id, found.teamKey)
    return found
  }
  const lots = db.prepare(
    `SELECT ${lotFields} FROM lots WHERE account_id = ? AND remaining > 0 ORDER BY expires_at, id`,
  )
  const binding = db.prepare('SELECT * FROM bindings WHERE account_id = ? AND idempotency_key = ?')
  const audit = db.prepare('SELECT credits, replayed FROM audit WHERE id = ?')
  return ({ entries, isRepeated = false }: EntryGroup, now: number): LedgerSnapshot => {
    const accounts = new Map<number, LedgerAccount>()
    const keys = new Map<number, LedgerKey>()
    const bindings = new Map<string, Binding>()
    const written = new Map<string, { credits: number; replayed: boolean }>()
    const teamKeys = new Map<number, TeamKey>()
    const lineageKeys = new Map<number, LineageKey>()
    const lotsByAccount = new Map<number, Lot[]>()
    for (const { step, call } of entries) {
      const ownAccount = accountById(call.accountId)
      if (ownAccount !== undefined) {
        accounts.set(ownAccount.id, ownAccount)
        if (ownAccount.lotsExpireAt !== null && !lotsByAccount.has(ownAccount.id))
          lotsByAccount.set(ownAccount.id, (lots.all(ownAccount.id) as LotRow[]).map(lotFrom))
      }
      const ownKey = keyById(call.keyId)
      if (ownKey !== undefined) keys.set(ownKey.id, ownKey)
      if (call.teamKeyId !== null && !lineageKeys.has(call.keyId)) {
        const lineage = lineageOf(call.keyId)
        if (lineage !== null) {
          teamKeys.set(lineage.teamKey.id, lineage.teamKey)
          lineageKeys.set(call.keyId, lineage.key)
        }
      }
      if (step === 'refusal') continue
      if (call.idempotency !== null) {
        const row = binding.get(call.accountId, call.idempotency.key) as BindingRow | undefined
        if (row !== undefined) bindings.set(bindingId(call.accountId, call.idempotency.key), bindingFrom(row))
      }
      if (isRepeated) {
        const row = audit.get(call.id) as { credits: number; replayed: number } | undefined
        if (row !== undefined) written.set(call.id, { credits: row.credits, replayed: row.replayed === 1 })
      }
    }
    return {
      now,
      epoch: EPOCH,
      isRepeated,
      ...plan(),
      accounts,
      keys,
      bindings,
      written,
      teamKeys,
      lineageKeys,
      lots: lotsByAccount,
    }
  }
}

/** Returns the salts of accounts that are not among the known ones. */
function saltReader(db: Database) {
  const salt = db.prepare('SELECT lower(hex(salt)) FROM audit_salts WHERE account_id = ?').pluck()
  return (audit: Writes['audit'], known: Salts): Salts => {
    const found = new Map<number, AddressSalt>()
    for (const { accountId } of audit) {
      if (known.has(accountId ?? 0)) continue
      const stored = salt.get(accountId ?? 0) as string | undefined
      if (stored !== undefined) found.set(accountId ?? 0, addressSalt(stored))
    }
    return found
  }
}

function writers(db: Database) {
  const ifExisting = onConflict({ isDivided: false })
  const lot = updater(db, 'lots', lotColumns)
  const expiring = updater(db, 'accounts', expiringColumns)
  const expiry = inserter(db, 'ledger', expiryColumns)
  return {
    account: updater(db, 'accounts', accountColumns),
    teamKey: updater(db, 'team_keys', teamKeyColumns),
    lots({ accounts, expired, lots }: Writes): void {
      const owners = new Set(lots.map(({ accountId }) => accountId))
      lots.forEach(lot)
      expired.forEach(expiry)
      accounts.filter(({ id }) => owners.has(id)).forEach(expiring)
    },
    /** The debits: a row for each call, with its credits. */
    audit: inserter(db, 'audit', auditColumns),
    group: inserter(db, 'audit_groups', groupColumns),
    salt: inserter(db, 'audit_salts', saltColumns),
    binding: inserter(db, 'bindings', bindingColumns, ifExisting.bindings),
    event: inserter(db, 'webhook_events', eventColumns),
    refusal: inserter(db, 'refusals', refusalColumns, ifExisting.refusals),
  }
}

function updater<Item extends { readonly id: number }>(
  db: Database,
  table: string,
  columns: readonly Column<Item>[],
) {
  const changed = columns.filter(({ name }) => name !== 'id')
  const update = db.prepare(
    `UPDATE ${table} SET ${changed.map(({ name }) => `${name} = ?`).join(', ')} WHERE id = ?`,
  )
  return (item: Item) => {
    const { changes } = update.run(...changed.map(({ value }) => value(item)), item.id)
    if (changes !== 1) throw new BrokenAssertion('row', { table, id: item.id, changes })
  }
}

function inserter<Item>(db: Database, table: string, columns: readonly Column<Item>[], onConflict = '') {
  const places = columns.map(({ type }) => (type === 'bytea' ? 'unhex(?)' : '?')).join(', ')
  const insert = db.prepare(`INSERT INTO ${table} (${namesOf(columns)}) VALUES (${places}) ${onConflict}`)
  return (item: Item) => insert.run(...columns.map(({ value }) => value(item)))
}

/** The cache is emptied when it holds more rows. */
const MAX_ROWS = 10_000
const FRESH_MS = 5

/**
 * A cache of rows as they were last read or written. It is exact, not merely recent: this connection's own writes pass
 * through it, and SQLite's data_version shows, at each use, whether another connection has committed since.
 */
function currentRows(db: Database) {
  const dataVersion = db.prepare('PRAGMA data_version').pluck()
  const accounts = new Map<number, LedgerAccount>()
  const keys = new Map<number, LedgerKey>()
  const teamKeys = new Map<number, TeamKey>()
  const lineageKeys = new Map<number, LineageKey>()
  const lookups = new Map<string, Omit<KnownKey, 'now'>>()
  let version = dataVersion.get()
  const forget = (): void => {
    for (const rows of [accounts, keys, teamKeys, lineageKeys, lookups]) rows.clear()
  }
  let lookedAt = 0
  const refresh = (): void => {
    const found = dataVersion.get()
    if (found === version && accounts.size + lookups.size < MAX_ROWS) return
    version = found
    forget()
  }
  return {
    accounts,
    keys,
    teamKeys,
    lineageKeys,
    lookups,
    forget,
    refresh,
    /** Sufficient for authentication: admission checks the key again inside its transaction. */
    refreshIfStale(at: number): void {
      if (Math.abs(at - lookedAt) < FRESH_MS) return
      lookedAt = at
      refresh()
    },
  }
}
