/** Group commits on PostgreSQL, each in two round trips: one that locks and reads, one that writes and commits. */
import type { Client } from 'pg'
import { decide } from '../../ledger/decide.ts'
import {
  bindingId,
  type Entry,
  type LedgerKey,
  type LedgerSnapshot,
  type Verdict,
  type Writes,
} from '../../ledger/types.ts'
import { type AccountRow, accountFrom, type BindingRow, bindingFrom } from '../ledger-rows.ts'
import { NotCommitted, OutcomeUnknown } from '../outcomes.ts'
import {
  type Connection,
  isAnswer,
  isCommitted,
  isLocked,
  mayRunAgain,
  STALE_MS,
  sendTogether,
} from './connection.ts'
import * as statements from './statements.ts'

const MAX_TRIES = 8

/** Commits a group; tries again if it lost against a group of another node. Throws NotCommitted or OutcomeUnknown. */
export async function commitGroup(
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
      // A repeated group must not be decided before its first attempt has ended, so it never goes around a lock.
      if (isLocked(error.cause) && !again) return await commitByAccount(connection, entries, offsetMs)
      // An idle connection that the server ended fails at its next use; a new connection works.
      const isStale = attempt === 1 && !isAnswer(error.cause) && performance.now() - startedAt < STALE_MS
      if (!(isStale || (mayRunAgain(error.cause) && attempt < MAX_TRIES))) throw error
    }
  }
}

/** Commits the entries of each account separately, so that a locked account fails alone. */
async function commitByAccount(
  connection: Connection,
  entries: readonly Entry[],
  offsetMs: number,
): Promise<Verdict[]> {
  const verdicts = new Map<Entry, Verdict>()
  for (const own of Map.groupBy(entries, ({ call }) => call.accountId).values()) {
    const decided = await commitOnce(connection, own, false, offsetMs).catch((error) => {
      if (error instanceof NotCommitted && isLocked(error.cause)) return own.map(() => LOCKED)
      throw error
    })
    own.forEach((entry, index) => {
      verdicts.set(entry, decided[index]!)
    })
  }
  return entries.map((entry) => verdicts.get(entry)!)
}

const LOCKED: Verdict = { ok: false, code: 'unavailable', retryAt: null, standing: null }

async function commitOnce(
  connection: Connection,
  entries: readonly Entry[],
  again: boolean,
  offsetMs: number,
): Promise<Verdict[]> {
  const client = await connection.client()
  const snapshot = await read(client, entries, again, offsetMs).catch((error) => {
    // COMMIT was not sent: losing the connection undoes everything.
    if (isAnswer(error)) client.query('ROLLBACK').catch(() => connection.drop())
    else connection.drop()
    throw new NotCommitted('PostgreSQL did not accept a group of entries', { cause: error })
  })
  const { verdicts, writes } = decide(snapshot, entries)
  await write(connection, client, writes)
  return verdicts
}

/** The first round trip: locks the accounts in id order, then reads what the locks protect in later statements. */
async function read(
  client: Client,
  entries: readonly Entry[],
  again: boolean,
  offsetMs: number,
): Promise<LedgerSnapshot> {
  const isDurable = entries.some(({ step }) => step === 'settle' || step === 'admitAndSettle')
  const calls = entries.flatMap((entry) => (entry.step === 'refusal' ? [] : [entry.call]))
  const keyed = calls.filter(({ idempotency }) => idempotency !== null)
  const results = await Promise.all(
    sendTogether(client, [
      isDurable ? statements.begin : statements.beginUnforced,
      statements.lockAccounts([distinct(entries.map(({ call }) => call.accountId))]),
      statements.readKeys([distinct(entries.map(({ call }) => call.keyId))]),
      keyed.length === 0
        ? null
        : statements.readBindings([
            keyed.map(({ accountId }) => accountId),
            keyed.map(({ idempotency }) => idempotency!.key),
          ]),
      again ? statements.readWritten([calls.map(({ id }) => id)]) : null,
    ]),
  )
  const [accounts, keys, bindings, written] = results.slice(1).map((result) => result?.rows ?? []) as [
    AccountRow[],
    KeyRow[],
    BindingRow[],
    WrittenRow[],
  ]
  return {
    now: keys[0]!.now + offsetMs,
    epoch: keys[0]!.epoch,
    again,
    accounts: new Map(accounts.map((row) => [row.id, accountFrom(row)])),
    keys: new Map(keys.flatMap((row) => (row.id === null ? [] : [[row.id, row]]))),
    bindings: new Map(
      bindings.map((row) => [bindingId(row.account_id, row.idempotency_key), bindingFrom(row)]),
    ),
    written: new Map(written.map(({ credits, id, replayed }) => [id, { credits, replayed: replayed === 1 }])),
  }
}

type KeyRow = { readonly now: number; readonly epoch: string } & (LedgerKey | { readonly id: null })
type WrittenRow = { readonly id: string; readonly credits: number; readonly replayed: number }

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)]

/** The second round trip: one statement for each table that changes, and COMMIT. */
async function write(connection: Connection, client: Client, writes: Writes): Promise<void> {
  const results = await Promise.allSettled(
    sendTogether(client, [
      ...statements.writeAccounts(writes.accounts),
      ...statements.writeAudit(writes.audit),
      ...statements.writeBindings(writes.bindings),
      ...statements.writeRefusals(writes.refusals),
      statements.commit,
    ]),
  )
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const lost = errors.find((error) => !isAnswer(error))
  if (lost !== undefined) {
    connection.drop()
    throw new OutcomeUnknown('The connection to PostgreSQL was lost during COMMIT', { cause: lost })
  }
  // After a statement has failed the server answers COMMIT with ROLLBACK.
  const last = results.at(-1)!
  if (last.status === 'rejected' || !isCommitted(last.value!))
    throw new NotCommitted('PostgreSQL rolled back a group of entries', { cause: errors[0] })
}
