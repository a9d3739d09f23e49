/** Group commits on PostgreSQL, each in two round trips: one that locks and reads, one that writes and commits. */
import type { Client } from 'pg'
import { decide } from '../../ledger/decide.ts'
import type { Tiers } from '../../ledger/tiers.ts'
import { bindingId, type Entry, type LedgerSnapshot, type Verdict, type Writes } from '../../ledger/types.ts'
import { accountFrom, bindingFrom } from '../ledger-rows.ts'
import { NotCommitted, OutcomeUnknown } from '../outcomes.ts'
import { type Connection, isAnswer, isLocked, isUnreplicated, mayRunAgain, STALE_MS } from './connection.ts'
import { exchange, type Results, type Step } from './exchange.ts'
import type { Primary } from './primary.ts'
import * as statements from './statements.ts'

const MAX_TRIES = 8

/** The statements of a group's two round trips, COMMIT excepted. */
export interface GroupSteps {
  reading(entries: readonly Entry[], again: boolean): Step[]
  /** The server's clock and epoch, and the keys, as the first round trip read them. */
  keys(results: Results): Pick<LedgerSnapshot, 'now' | 'epoch' | 'keys'>
  /** Audit rows of an earlier attempt at the group. */
  written(
    results: Results,
  ): readonly { readonly id: string; readonly credits: number; readonly replayed: number }[]
  writing(writes: Writes): Step[]
}

/** A group's connection and statements. */
export interface GroupSession {
  readonly connection: Connection
  readonly steps: GroupSteps
}

/** The part of a snapshot that the database does not hold. */
export interface Rules {
  readonly tiers: Tiers
  /** Corrects the time of the database's clock. */
  timeOf(now: number): number
  /** Refuses a server that was replaced. */
  readonly primary: Primary
}

/** Commits a group; tries again if it lost against a group of another node. Throws NotCommitted or OutcomeUnknown. */
export async function commitGroup(
  session: GroupSession,
  entries: readonly Entry[],
  again: boolean,
  rules: Rules,
): Promise<Verdict[]> {
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await commitOnce(session, entries, again, rules)
    } catch (error) {
      if (!(error instanceof NotCommitted)) throw error
      // A repeated group must not be decided before its first attempt has ended, so it never goes around a lock.
      if (isLocked(error.cause) && !again) return await commitByAccount(session, entries, rules)
      // An idle connection that the server ended fails at its next use; a new connection works.
      const isStale = attempt === 1 && !isAnswer(error.cause) && performance.now() - startedAt < STALE_MS
      if (!(isStale || (mayRunAgain(error.cause) && attempt < MAX_TRIES))) throw error
    }
  }
}

/** No account's entries are tried after this: with a table locked, each would wait for its own time-out. */
const BY_ACCOUNT_MS = 600

/**
 * Commits the entries of each account separately, so that a locked account fails alone. An account that fails for any
 * other reason fails alone too, because those before it may be committed: the group as a whole is then neither
 * committed nor not. Throws OutcomeUnknown.
 */
async function commitByAccount(
  session: GroupSession,
  entries: readonly Entry[],
  rules: Rules,
): Promise<Verdict[]> {
  const verdicts = new Map<Entry, Verdict>()
  const deadline = performance.now() + BY_ACCOUNT_MS
  for (const own of Map.groupBy(entries, ({ call }) => call.accountId).values()) {
    if (performance.now() > deadline) break
    const decided = await commitOnce(session, own, false, rules).catch((error) => {
      if (error instanceof NotCommitted) return []
      throw error
    })
    decided.forEach((verdict, index) => {
      verdicts.set(own[index]!, verdict)
    })
  }
  return entries.map((entry) => verdicts.get(entry) ?? UNAVAILABLE)
}

const UNAVAILABLE: Verdict = { ok: false, code: 'unavailable', retryAt: null, standing: null }

async function commitOnce(
  session: GroupSession,
  entries: readonly Entry[],
  again: boolean,
  rules: Rules,
): Promise<Verdict[]> {
  const { connection, steps } = session
  const client = await connection.client()
  const snapshot = await read(client, steps, entries, again, rules).catch((error) =>
    abandon(connection, client, error),
  )
  const { verdicts, writes } = decide(snapshot, entries)
  await write(connection, client, steps.writing(writes))
  return verdicts
}

/** Rolls back; before COMMIT is sent, losing the connection does so too. */
function abandon(connection: Connection, client: Client, error: unknown): never {
  if (isAnswer(error)) client.query('ROLLBACK').catch(() => connection.drop())
  else connection.drop()
  throw new NotCommitted('PostgreSQL did not accept a group of entries', { cause: error })
}

/** The first round trip: locks the accounts in id order, then reads what the locks protect in later statements. */
async function read(
  client: Client,
  steps: GroupSteps,
  entries: readonly Entry[],
  again: boolean,
  { primary, tiers, timeOf }: Rules,
): Promise<LedgerSnapshot> {
  const results = await exchange(client, steps.reading(entries, again))
  const { epoch, keys, now } = steps.keys(results)
  primary.check(statements.timelineOf(epoch), client)
  return {
    now: timeOf(now),
    epoch,
    again,
    tiers,
    accounts: new Map(results.rows(statements.lockAccounts).map((row) => [row.id, accountFrom(row)])),
    keys,
    bindings: new Map(
      results
        .rows(statements.readBindings)
        .map((row) => [bindingId(row.account_id, row.idempotency_key), bindingFrom(row)]),
    ),
    written: new Map(
      steps.written(results).map(({ credits, id, replayed }) => [id, { credits, replayed: replayed === 1 }]),
    ),
  }
}

/** The second round trip: one statement for each table that changes, and COMMIT. */
async function write(connection: Connection, client: Client, steps: readonly Step[]): Promise<void> {
  const { command } = await exchange(client, [...steps, { statement: statements.commit, values: [] }]).catch(
    (error) => {
      // An error that the server reports precedes COMMIT, which is then skipped.
      if (isAnswer(error)) abandon(connection, client, error)
      connection.drop()
      throw new OutcomeUnknown('The connection to PostgreSQL was lost during COMMIT', { cause: error })
    },
  )
  if (isUnreplicated(client)) {
    connection.drop()
    throw new OutcomeUnknown('PostgreSQL committed without its synchronous standby')
  }
  if (command !== 'COMMIT') throw new NotCommitted('PostgreSQL rolled back a group of entries')
}
