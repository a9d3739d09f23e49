/** Group commits on PostgreSQL, each in two round trips: one that locks and reads, one that writes and commits. */
import type { Client } from 'pg'
import { addressSalt, assertFollows, prove, type Salts } from '../../proofs/group.ts'
import { BrokenAssertion } from '../../rules/assertions.ts'
import { decide } from '../../rules/decide.ts'
import type { LedgerPlan } from '../../rules/plan.ts'
import {
  bindingId,
  type Entry,
  type EntryGroup,
  type LedgerSnapshot,
  type Verdict,
} from '../../rules/types.ts'
import {
  type AccountRow,
  accountFrom,
  type BindingRow,
  bindingFrom,
  type LotRow,
  lineageKeyFrom,
  lotFrom,
  type TeamKeyRow,
  teamKeyFrom,
} from '../ledger-rows.ts'
import { NotCommitted, OutcomeUnknown } from '../sql.ts'
import type { Store } from '../store.ts'
import type { ConnectionStreams } from '../streams.ts'
import { accountRows, type FoundAccounts, type FoundKeys, keysOf } from './arrays.ts'
import { type GroupStatements, Moved, type Query, type Reads } from './commit.ts'
import {
  type DatabaseConnection,
  isAnswer,
  isLocked,
  isUnreplicated,
  mayRunAgain,
  notReplicated,
  STALE_MS,
} from './connection.ts'
import { type Answer, send } from './pipeline.ts'
import { type Primary, timelineOf } from './primary.ts'

const MAX_TRIES = 8

/** The part of a store for key look-ups and group commits. */
export type HotPath = Pick<Store, 'commit' | 'lookup' | 'together'> & { close(): Promise<void> }

/** A group's connection and statements. */
interface GroupSession {
  readonly connection: DatabaseConnection
  readonly statements: GroupStatements
  /** Whether the caller handles locked accounts, because it can divide the group by shards. */
  readonly isDivided?: boolean
}

/** The part of a snapshot that the database does not hold. */
export interface Rules {
  /** The plan, read once for each group. */
  plan(): LedgerPlan
  /** Corrects the time of the database's clock. */
  timeOf(now: number): number
  /** Refuses a server that was replaced. */
  readonly primary: Primary
  readonly streams: ConnectionStreams
}

/**
 * Commits a group; tries again if it lost against a group of another node. Throws NotCommitted, OutcomeUnknown or BrokenAssertion.
 */
export async function commitGroup(
  session: GroupSession,
  group: EntryGroup,
  rules: Rules,
): Promise<Verdict[]> {
  let isCommitted = false
  try {
    const verdicts = await tryCommit(session, group, rules)
    isCommitted = verdicts.some((verdict) => verdict !== UNAVAILABLE)
    return verdicts
  } finally {
    session.connection.note({ isCommitted })
  }
}

async function tryCommit(session: GroupSession, group: EntryGroup, rules: Rules): Promise<Verdict[]> {
  const startedAt = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return await commitOnce(session, group, rules)
    } catch (error) {
      if (!(error instanceof NotCommitted)) throw error
      // A repeated group must not be decided before its first attempt has ended, so it never goes around a lock.
      if (isLocked(error.cause) && !group.isRepeated && !session.isDivided)
        return await commitByAccount(session, group.entries, rules)
      // An idle connection that the server ended fails at its next use; a new connection works.
      const isLost = !(isAnswer(error.cause) || error.cause instanceof Moved)
      const isStale = tries === 1 && isLost && performance.now() - startedAt < STALE_MS
      if (!(isStale || (mayRunAgain(error.cause) && tries < MAX_TRIES))) throw error
    }
  }
}

/** After this time no further account is tried: if a table is locked, each would wait for its own time-out. */
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
  for (const ofAccount of Map.groupBy(entries, ({ call }) => call.accountId).values()) {
    if (performance.now() > deadline) break
    const decided = await commitOnce(session, { entries: ofAccount }, rules).catch((error) => {
      if (error instanceof NotCommitted) return []
      throw error instanceof BrokenAssertion ? inPart(error) : error
    })
    decided.forEach((verdict, index) => {
      verdicts.set(ofAccount[index], verdict)
    })
  }
  return entries.map((entry) => verdicts.get(entry) ?? UNAVAILABLE)
}

/** Entries of other accounts may be committed, so that the group is repeated as one of unknown outcome. */
export const inPart = (broken: BrokenAssertion): OutcomeUnknown =>
  new OutcomeUnknown('A group of entries was committed in part', { cause: broken })

export const UNAVAILABLE: Verdict = { ok: false, code: 'unavailable', retryAt: null, standing: null }

async function commitOnce(session: GroupSession, group: EntryGroup, rules: Rules): Promise<Verdict[]> {
  const { connection, statements } = session
  const client = await connection.client()
  const open = group.entries.some(isAudited) ? await rules.streams.of(client) : null
  const reads = statements.reads(group, open?.salts ?? null)
  const { found, snapshot } = await read(client, reads, statements, rules).catch((error) =>
    abandon(connection, client, error),
  )
  const decided = () => {
    const { isRepeated = false } = group
    const { verdicts, writes } = decide({ ...snapshot, isRepeated }, group.entries)
    const proven = open === null ? null : prove(open.stream, writes.audit, open.salts, found)
    if (open !== null && proven !== null) assertFollows(open.stream, writes.audit, proven)
    const { audit, groups, salts } = proven ?? { audit: [], groups: [], salts: new Map() }
    return {
      verdicts,
      proven,
      salts,
      queries: statements.writes({ ...writes, audit, groups, salts: [...salts] }),
    }
  }
  const { proven, queries, salts, verdicts } = await orRollBack(connection, client, decided)
  await write(connection, client, queries)
  if (proven !== null) rules.streams.set(client, proven.stream, found, salts)
  return verdicts
}

/** Runs work between the two round trips; if it throws, as for a broken assertion, the transaction is rolled back. */
async function orRollBack<Result>(
  connection: DatabaseConnection,
  client: Client,
  work: () => Result,
): Promise<Result> {
  try {
    return work()
  } catch (error) {
    await send(client, [ROLLBACK]).catch(() => connection.drop())
    throw error
  }
}

const isAudited = ({ step }: Entry): boolean => step === 'settle' || step === 'admitAndSettle'

const ROLLBACK: Query = { name: 'rollback', text: 'ROLLBACK' }

/** Rolls back; before COMMIT is sent, losing the connection does so too. */
async function abandon(connection: DatabaseConnection, client: Client, error: unknown): Promise<never> {
  if (isAnswer(error) || error instanceof Moved) await send(client, [ROLLBACK]).catch(() => connection.drop())
  else connection.drop()
  throw new NotCommitted('PostgreSQL did not accept a group of entries', { cause: error })
}

/** The first round trip: locks the accounts in id order, then reads what the locks protect in later statements. */
async function read(
  client: Client,
  reads: Reads,
  statements: GroupStatements,
  { plan, primary, timeOf }: Rules,
): Promise<{ readonly snapshot: Omit<LedgerSnapshot, 'isRepeated'>; readonly found: Salts }> {
  const { accounts, begin, bindings, keys, salts, teamKeys, written } = reads
  const sent = [begin, accounts, keys, teamKeys, bindings, written, salts]
  const answers = (await send(client, sent.flat())).map(({ rows }) => rows)
  const [, ...found] = sent.map((queries) => answers.splice(0, queries.length))
  const [accountAnswers, foundKeys, ofTeams, foundBindings, foundRows, foundSalts] = found.map((each) =>
    each.flat(),
  ) as [
    FoundAccounts[],
    FoundKeys[],
    TeamKeyRow[],
    BindingRow[],
    { readonly id: string; readonly credits: number; readonly replayed: number }[],
    { readonly accountId: number; readonly salt: string }[],
  ]
  if (!foundKeys.every(({ isHere }) => isHere)) throw new Moved('Accounts are not in their former place')
  const foundAccounts = accountAnswers.flatMap(accountRows)
  const { epoch, now } = foundKeys[0]
  primary.check(timelineOf(epoch), client)
  const withLots = foundAccounts.filter(({ lots_expire_at }) => lots_expire_at !== null)
  const lots = withLots.length === 0 ? [] : await readLots(client, statements, withLots)
  const snapshot = {
    now: timeOf(now),
    epoch,
    ...plan(),
    accounts: new Map(foundAccounts.map((row) => [row.id, accountFrom(row)])),
    keys: new Map(foundKeys.flatMap(keysOf).map((key) => [key.id, key])),
    teamKeys: new Map(ofTeams.map((row) => [row.team_key_id, teamKeyFrom(row)])),
    lineageKeys: new Map(ofTeams.map((row) => [row.key_id, lineageKeyFrom(row)])),
    lots: Map.groupBy(lots.map(lotFrom), ({ accountId }) => accountId),
    bindings: new Map(
      foundBindings.map((row) => [bindingId(row.account_id, row.idempotency_key), bindingFrom(row)]),
    ),
    written: new Map(
      foundRows.map(({ credits, id, replayed }) => [id, { credits, replayed: replayed === 1 }]),
    ),
  }
  return { snapshot, found: new Map(foundSalts.map(({ accountId, salt }) => [accountId, addressSalt(salt)])) }
}

/** A round trip of its own, so that a group without lots does nothing for them. */
async function readLots(
  client: Client,
  statements: GroupStatements,
  accounts: readonly AccountRow[],
): Promise<LotRow[]> {
  const answers = await send(client, statements.lots(accounts.map(({ id }) => id)))
  return answers.flatMap(({ rows }) => rows) as LotRow[]
}

const COMMIT: Query = { name: 'commit', text: 'COMMIT' }

/**
 * The second round trip: the changes, and COMMIT. An error in reply to COMMIT leaves its outcome open: a server whose disk is
 * full may have written the log up to that record before it ends.
 */
async function write(
  connection: DatabaseConnection,
  client: Client,
  writes: readonly Query[],
): Promise<void> {
  const answers: Answer[] = []
  await send(client, [...writes, COMMIT], answers).catch(async (error) => {
    const isBeforeCommit = answers.length < writes.length
    if (isBeforeCommit && isAnswer(error)) await abandon(connection, client, error)
    connection.drop()
    throw new OutcomeUnknown('PostgreSQL did not confirm COMMIT', { cause: error })
  })
  if (isUnreplicated(client)) {
    connection.drop()
    throw notReplicated()
  }
  if (answers.at(-1)?.command !== 'COMMIT')
    throw new NotCommitted('PostgreSQL rolled back a group of entries')
}
