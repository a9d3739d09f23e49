/** The ledger's batches on PostgreSQL, each in two round trips. */
import type { Client } from 'pg'
import { decide } from '../../ledger/decide.ts'
import { bindingId, type Entry, type LedgerSnapshot, type Verdict, type Writes } from '../../ledger/types.ts'
import { NotCommitted, OutcomeUnknown } from '../store.ts'
import { type Connection, isAnswer, isCommitted, isLocked, mayRunAgain, STALE_MS } from './connection.ts'
import { exchange, type Step } from './exchange.ts'
import {
  accountFrom,
  accountRow,
  auditRow,
  bindingFrom,
  bindingRow,
  copyLines,
  keyFrom,
  refusalRow,
  setOf,
} from './rows.ts'

const MAX_TRIES = 8

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
  const snapshot = await load(client, entries, again, offsetMs).catch((error) =>
    abandon(connection, client, error),
  )
  const { verdicts, writes } = decide(snapshot, entries)
  await apply(connection, client, writes)
  return verdicts
}

/** Before COMMIT was sent, losing the connection undoes everything; so does any error before COMMIT. */
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
): Promise<LedgerSnapshot> {
  const answers = await exchange(client, question(entries, again))
  const rows = (name: string) => answers.get(name)?.rows ?? []
  const keys = rows('keys')
  const [now, epoch] = keys[0]!
  return {
    now: Number(now) + offsetMs,
    epoch: epoch!,
    again,
    accounts: new Map(
      rows('accounts')
        .map(accountFrom)
        .map((account) => [account.id, account]),
    ),
    keys: new Map(keys.flatMap((row) => (row[2] === null ? [] : [[Number(row[2]), keyFrom(row)]]))),
    bindings: new Map(
      rows('bindings')
        .map(bindingFrom)
        .map((one) => [bindingId(one.accountId, one.idempotencyKey), one]),
    ),
    written: new Map(
      rows('written').map(([id, credits, replayed]) => [
        id!,
        { credits: Number(credits), replayed: replayed === '1' },
      ]),
    ),
  }
}

/** Begins, locks and reads the accounts in id order, then reads the rest in statements that see what the locks guard. */
function question(entries: readonly Entry[], again: boolean): Step[] {
  const durable = entries.some((entry) => entry.step === 'settle' || entry.step === 'admitAndSettle')
  const calls = entries.flatMap((entry) => (entry.step === 'refusal' ? [] : [entry.call]))
  const keyed = calls.filter((call) => call.idempotency !== null)
  const wanted = keyed.map(({ accountId, idempotency }) => ({
    account_id: accountId,
    idempotency_key: idempotency!.key,
  }))
  return [
    { name: 'begin' },
    ...(durable ? [] : [{ name: 'unforced' }]),
    { name: 'accounts', values: [setOf(entries.map(({ call }) => call.accountId))] },
    { name: 'keys', values: [setOf(entries.map(({ call }) => call.keyId))] },
    ...(keyed.length === 0 ? [] : [{ name: 'bindings', values: [JSON.stringify(wanted)] }]),
    ...(again ? [{ name: 'written', values: [setOf(calls.map(({ id }) => id))] }] : []),
  ]
}

/** One round trip: a write per table, and COMMIT. */
async function apply(connection: Connection, client: Client, writes: Writes): Promise<void> {
  const answers = await exchange(client, [
    ...write('write accounts', writes.accounts.map(accountRow)),
    ...(writes.audit.length === 0
      ? []
      : [{ name: 'write audit', lines: copyLines(writes.audit.map(auditRow)) }]),
    ...write('write bindings', writes.bindings.map(bindingRow)),
    ...write('write refusals', writes.refusals.map(refusalRow)),
    { name: 'commit', text: 'COMMIT' },
  ]).catch((error) => {
    if (isAnswer(error)) abandon(connection, client, error)
    connection.drop()
    throw new OutcomeUnknown('PostgreSQL went away around COMMIT', { cause: error })
  })
  if (!isCommitted(answers.get('commit')!)) throw new NotCommitted('PostgreSQL rolled a batch back')
}

const write = (name: string, rows: readonly object[]): Step[] =>
  rows.length === 0 ? [] : [{ name, values: [JSON.stringify(rows)] }]
