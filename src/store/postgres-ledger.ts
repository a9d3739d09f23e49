/** The hot path on PostgreSQL: key lookups and the ledger's batches, each in one or two round trips. */
import type { Client } from 'pg'
import { decide } from '../ledger/decide.ts'
import {
  type AuditRow,
  type Books,
  bindingId,
  type Entry,
  type LedgerKey,
  type Verdict,
  type Writes,
} from '../ledger/types.ts'
import {
  type Connection,
  isAnswer,
  isCommitted,
  isLocked,
  mayRunAgain,
  together,
} from './postgres-connection.ts'
import {
  type AccountRow,
  accountColumns,
  accountOf,
  type BindingRow,
  bindingColumns,
  bindingOf,
} from './rows.ts'
import { type KnownKey, NotCommitted, OutcomeUnknown } from './store.ts'

export const NOW = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`

/**
 * Changes whenever what was not yet durable may be lost: with every start of the server and, where only one of its
 * processes was killed and the postmaster recovers by itself, with the statistics, which a crash discards.
 */
const INCARNATION = `concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time()) AS incarnation`

const MAX_TRIES = 8
/** A connection that fails this soon was lost before it was used. */
const STALE_MS = 50

export async function lookup(
  connection: Connection,
  hashes: readonly Uint8Array[],
  offsetMs: number,
): Promise<(KnownKey | null)[]> {
  const startedAt = performance.now()
  try {
    return await lookupOnce(connection, hashes, offsetMs)
  } catch (error) {
    if (performance.now() - startedAt > STALE_MS) throw error
    return await lookupOnce(connection, hashes, offsetMs)
  }
}

async function lookupOnce(
  connection: Connection,
  hashes: readonly Uint8Array[],
  offsetMs: number,
): Promise<(KnownKey | null)[]> {
  const client = await connection.client().catch((error) => {
    throw new NotCommitted('PostgreSQL is away', { cause: error })
  })
  const result = await client
    .query({
      name: 'lookup',
      text: `SELECT k.hash, k.id AS "keyId", k.account_id AS "accountId", k.status, a.verified_at IS NOT NULL AS verified,
        a.expires_at AS "expiresAt", ${NOW}
        FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ANY ($1::bytea[])`,
      values: [hashes.map((hash) => Buffer.from(hash))],
    })
    .catch((error) => {
      if (!isAnswer(error)) connection.drop()
      throw new NotCommitted('PostgreSQL did not answer a lookup', { cause: error })
    })
  const byHash = new Map<string, KnownKey>()
  for (const { hash, now, ...key } of result.rows as (KnownKey & { hash: Buffer })[])
    byHash.set(hash.toString('hex'), { ...key, now: now + offsetMs })
  return hashes.map((hash) => byHash.get(Buffer.from(hash).toString('hex')) ?? null)
}

/** Runs a batch, again when it lost against another node's. Throws NotCommitted or OutcomeUnknown. */
export async function commit(
  connection: Connection,
  entries: readonly Entry[],
  again: boolean,
  offsetMs: number,
): Promise<Verdict[]> {
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await commitOnce(connection, entries, again, offsetMs)
    } catch (error) {
      if (!(error instanceof NotCommitted)) throw error
      // Entered again, a batch waits for what is left of its first attempt: that must end before it is decided.
      if (isLocked(error.cause) && !again) return await commitApart(connection, entries, offsetMs)
      // An idle connection that was ended shows at its next use, and a new one will do.
      const isStale = attempt === 1 && !isAnswer(error.cause) && performance.now() - startedAt < STALE_MS
      if (!(isStale || (mayRunAgain(error.cause) && attempt < MAX_TRIES))) throw error
    }
  }
}

/** Account by account: one whose row somebody holds fails alone. */
async function commitApart(
  connection: Connection,
  entries: readonly Entry[],
  offsetMs: number,
): Promise<Verdict[]> {
  const verdicts = new Map<Entry, Verdict>()
  for (const own of Map.groupBy(entries, ({ call }) => call.accountId).values()) {
    const decided = await commitOnce(connection, own, false, offsetMs).catch((error) => {
      if (error instanceof NotCommitted && isLocked(error.cause)) return own.map(() => HELD)
      throw error
    })
    own.forEach((entry, index) => {
      verdicts.set(entry, decided[index]!)
    })
  }
  return entries.map((entry) => verdicts.get(entry)!)
}

const HELD: Verdict = { ok: false, code: 'unavailable', retryAt: null, standing: null }

async function commitOnce(
  connection: Connection,
  entries: readonly Entry[],
  again: boolean,
  offsetMs: number,
): Promise<Verdict[]> {
  const client = await connection.client().catch((error) => {
    throw new NotCommitted('PostgreSQL is away', { cause: error })
  })
  const books = await load(client, entries, again, offsetMs).catch((error) =>
    abandon(connection, client, error),
  )
  const { verdicts, writes } = decide(books, entries)
  await apply(connection, client, writes)
  return verdicts
}

/** Before COMMIT was sent, losing the connection undoes everything. */
function abandon(connection: Connection, client: Client, error: unknown): never {
  if (isAnswer(error)) client.query('ROLLBACK').catch(() => connection.drop())
  else connection.drop()
  throw new NotCommitted('PostgreSQL did not take a batch', { cause: error })
}

/** One round trip: what a batch is about. */
async function load(
  client: Client,
  entries: readonly Entry[],
  again: boolean,
  offsetMs: number,
): Promise<Books> {
  const [, accounts, keys, bindings, written] = await Promise.all(
    together(client, () => question(client, entries, again)),
  )
  const found = keys.rows as KeyRow[]
  const { incarnation, now } = found[0]!
  return {
    now: now + offsetMs,
    incarnation,
    again,
    accounts: new Map((accounts.rows as AccountRow[]).map((row) => [row.id, accountOf(row)])),
    keys: new Map(found.flatMap((row) => (row.id === null ? [] : [[row.id, row]]))),
    bindings: new Map(
      ((bindings?.rows ?? []) as BindingRow[]).map((row) => [
        bindingId(row.account_id, row.idempotency_key),
        bindingOf(row),
      ]),
    ),
    written: new Map(
      ((written?.rows ?? []) as WrittenRow[]).map((row) => [
        row.id,
        { credits: row.credits, replayed: row.replayed === 1 },
      ]),
    ),
  }
}

/** Begins, locks and reads the accounts in id order, then reads the rest in statements that see what the locks guard. */
function question(client: Client, entries: readonly Entry[], again: boolean) {
  const durable = entries.some((entry) => entry.step === 'settle' || entry.step === 'whole')
  const accountIds = [...new Set(entries.map(({ call }) => call.accountId))]
  const keyIds = [...new Set(entries.map(({ call }) => call.keyId))]
  const calls = entries.flatMap((entry) => (entry.step === 'refusal' ? [] : [entry.call]))
  const keyed = calls.filter((call) => call.idempotency !== null)
  return [
    client.query(durable ? 'BEGIN' : 'BEGIN; SET LOCAL synchronous_commit = off'),
    // What a lock was waited for, is read as its last holder left it.
    client.query({
      name: 'accounts',
      text: `SELECT ${accountColumns} FROM accounts WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE`,
      values: [accountIds],
    }),
    // The clock must not be read before the locks are held; without any key there is one row of it all the same.
    client.query({
      name: 'keys',
      text: `SELECT ${NOW}, ${INCARNATION}, k.id, k.account_id AS "accountId", k.status
        FROM (SELECT) AS once LEFT JOIN api_keys k ON k.id = ANY ($1::bigint[])`,
      values: [keyIds],
    }),
    keyed.length === 0
      ? null
      : client.query({
          name: 'bindings',
          text: `SELECT ${bindingColumns} FROM bindings JOIN unnest($1::bigint[], $2::text[]) AS wanted (account_id, idempotency_key)
            USING (account_id, idempotency_key)`,
          values: [keyed.map((call) => call.accountId), keyed.map((call) => call.idempotency!.key)],
        }),
    again
      ? client.query({
          name: 'written',
          text: 'SELECT id, credits, replayed FROM audit WHERE id = ANY ($1::text[])',
          values: [calls.map((call) => call.id)],
        })
      : null,
  ] as const
}

type WrittenRow = { readonly id: string; readonly credits: number; readonly replayed: number }
type KeyRow = { readonly now: number; readonly incarnation: string } & (LedgerKey | { readonly id: null })

/** One round trip: a write per table, and COMMIT. */
async function apply(connection: Connection, client: Client, writes: Writes): Promise<void> {
  const sent = together(client, () => [
    ...write(client, 'write accounts', ACCOUNTS, writes.accounts.map(accountRow)),
    ...write(client, 'write audit', AUDIT, writes.audit.map(auditRow)),
    ...write(client, 'write bindings', BINDINGS, writes.bindings.map(bindingRow)),
    ...write(client, 'write refusals', REFUSALS, writes.refusals.map(refusalRow)),
    client.query('COMMIT'),
  ])
  const results = await Promise.allSettled(sent)
  const failed = results.filter((result) => result.status === 'rejected').map((result) => result.reason)
  const lost = failed.find((error) => !isAnswer(error))
  if (lost !== undefined) {
    connection.drop()
    throw new OutcomeUnknown('PostgreSQL went away around COMMIT', { cause: lost })
  }
  if (failed.length > 0 || !isCommitted(await sent.at(-1)!))
    throw new NotCommitted('PostgreSQL rolled a batch back', { cause: failed[0] })
}

const write = (client: Client, name: string, text: string, rows: readonly object[]) =>
  rows.length === 0 ? [] : [client.query({ name, text, values: [JSON.stringify(rows)] })]

const ACCOUNTS = `UPDATE accounts a SET balance = n.balance, minute_started_at = n.minute_started_at,
  minute_count = n.minute_count, hour_started_at = n.hour_started_at, hour_count = n.hour_count,
  day_started_at = n.day_started_at, day_count = n.day_count
  FROM json_populate_recordset(NULL::accounts, $1::json) n WHERE a.id = n.id`

const AUDIT = `INSERT INTO audit SELECT * FROM json_populate_recordset(NULL::audit, $1::json)`

const BINDINGS = `INSERT INTO bindings SELECT * FROM json_populate_recordset(NULL::bindings, $1::json)
  ON CONFLICT (account_id, idempotency_key) DO UPDATE SET request_hash = excluded.request_hash,
  audit_id = excluded.audit_id, expires_at = excluded.expires_at, replayed = excluded.replayed`

const REFUSALS = `INSERT INTO refusals SELECT * FROM json_populate_recordset(NULL::refusals, $1::json)
  ON CONFLICT (key_id, ip, code, minute) DO UPDATE SET count = refusals.count + excluded.count`

const accountRow = (account: Writes['accounts'][number]) => ({
  id: account.id,
  balance: account.balance,
  minute_started_at: account.minute.startedAt,
  minute_count: account.minute.count,
  hour_started_at: account.hour.startedAt,
  hour_count: account.hour.count,
  day_started_at: account.day.startedAt,
  day_count: account.day.count,
})

const auditRow = ({ accountId, keyId, requestId, durationMs, replayed, ...rest }: AuditRow) => ({
  ...rest,
  account_id: accountId,
  key_id: keyId,
  request_id: requestId,
  duration_ms: durationMs,
  replayed: replayed ? 1 : 0,
})

const bindingRow = (binding: Writes['bindings'][number]) => ({
  account_id: binding.accountId,
  idempotency_key: binding.idempotencyKey,
  request_hash: binding.requestHash,
  audit_id: binding.auditId,
  expires_at: binding.expiresAt,
  replayed: binding.replayed ? 1 : 0,
})

const refusalRow = ({ keyId, accountId, ...rest }: Writes['refusals'][number]) => ({
  ...rest,
  key_id: keyId,
  account_id: accountId,
})
