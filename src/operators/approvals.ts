/** Acts that wait for a second person: proposed, listed, confirmed or rejected. And acts that one person does alone. */

import { sql as raw, type Selection } from 'kysely'
import { tooManyApprovals } from '../base/errors/operator.ts'
import { Failure } from '../base/failure.ts'
import { uuidv7 } from '../base/ids.ts'
import { APPROVAL_KEPT_MS, APPROVAL_MS, LONE_ACTS_MS, WAITING_APPROVALS } from '../base/limits/operation.ts'
import { APPROVAL_LOCK, awaitLock, LONE_ACT_LOCK } from '../ledger/store/locks.ts'
import type { Schema } from '../ledger/store/schema.ts'
import { deletePiece, first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner, Verb } from '../ledger/store/store.ts'
import { type AdminEvent, writeAdminEvent } from './audit-event.ts'
import type { TwoPersonAct, TwoPersons } from './roles.ts'

const columns = [
  'id',
  'act',
  'path',
  'input',
  'account_id as accountId',
  'asked_by as askedBy',
  'person',
  'reason',
  'asked_at as askedAt',
  'expires_at as expiresAt',
  'state',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
] as const

type Row = Selection<Schema, 'approvals', (typeof columns)[number]>

/** `path`: of the endpoint; `input`: the body of the request, as JSON; `accountId`: null where the act names no account. */
export interface Approval extends Omit<Row, 'act' | 'state'> {
  readonly act: TwoPersonAct
  readonly state: Row['state'] | 'expired'
}

const shown = (row: Row, now: number): Approval => ({
  ...row,
  act: row.act as TwoPersonAct,
  state: row.state === 'waiting' && row.expiresAt <= now ? 'expired' : row.state,
})

type AskedFor = Pick<Approval, 'act' | 'path' | 'input' | 'accountId' | 'person' | 'reason'> & {
  readonly event: AdminEvent
}

/** Stores an act that waits. If a person sends the same request again, also at the same time, it is stored once. A Failure: nothing was written. */
export function* askApproval(sql: Sql, { event, ...asked }: AskedFor): Transaction<Approval | Failure> {
  const { accountId, act, input, path, person, reason } = asked
  yield* awaitLock(sql, APPROVAL_LOCK)
  const now = yield* sql.clock()
  const own = yield* rows(
    sql.db
      .selectFrom('approvals')
      .select(columns)
      .where('state', '=', 'waiting')
      .where('expires_at', '>', now)
      .where('person', '=', person),
  )
  const same = own.find((waiting) => waiting.path === path && waiting.input === input)
  if (same !== undefined) return shown(same, now)
  if (own.length >= WAITING_APPROVALS) return tooManyApprovals(WAITING_APPROVALS)
  const inserted = yield* first(
    sql.db
      .insertInto('approvals')
      .values({
        act,
        path,
        input,
        account_id: accountId,
        asked_by: event.actor,
        person,
        reason,
        asked_at: now,
        expires_at: now + APPROVAL_MS,
        state: 'waiting',
      })
      .returning(columns),
  )
  yield* writeAdminEvent(sql, event, 'approval_asked', { accountId, facts: { approval: inserted!.id, act } })
  return shown(inserted!, now)
}

/** Approvals with an id below `before`, the newest first. */
export function* approvalsPage(
  sql: Sql,
  {
    before,
    limit,
    waiting,
  }: { readonly before: number | null; readonly limit: number; readonly waiting: boolean },
): Transaction<Approval[]> {
  const now = yield* sql.clock()
  let query = sql.db.selectFrom('approvals').select(columns).orderBy('id', 'desc').limit(limit)
  if (before !== null) query = query.where('id', '<', before)
  if (waiting) query = query.where('state', '=', 'waiting').where('expires_at', '>', now)
  return (yield* rows(query)).map((row) => shown(row, now))
}

export function* approvalOf(sql: Sql, id: number): Transaction<Approval | null> {
  const now = yield* sql.clock()
  const row = yield* first(sql.db.selectFrom('approvals').select(columns).where('id', '=', id))
  return row === undefined ? null : shown(row, now)
}

interface Decision {
  readonly id: number
  readonly state: 'confirmed' | 'rejected'
  readonly event: AdminEvent
}

/** Rejects an act. False: it does not wait any more, and nothing was written. */
export function* rejectApproval(sql: Sql, decision: Omit<Decision, 'state'>): Transaction<boolean> {
  const decided = yield* decide(sql, { ...decision, state: 'rejected' })
  if (decided !== undefined) yield* tell(sql, decision, 'approval_rejected', decided)
  return decided !== undefined
}

/** Rejects the acts that a revoked token proposed, because its holder may have stolen it. */
export function* rejectApprovalsOf(
  sql: Sql,
  { event, name, person }: { readonly event: AdminEvent; readonly name: string; readonly person: string },
): Transaction<void> {
  const now = yield* sql.clock()
  const rejected = yield* rows(
    sql.db
      .updateTable('approvals')
      .set({ state: 'rejected', decided_by: event.actor, decided_at: now })
      .where('state', '=', 'waiting')
      .where('person', '=', person)
      .where('asked_by', '=', name)
      .returning(['id', 'act', 'account_id as accountId', 'asked_by as askedBy']),
  )
  for (const approval of rejected) {
    const own = { id: approval.id, event: { ...event, auditId: uuidv7() } }
    yield* tell(sql, own, 'approval_rejected', approval)
  }
}

/**
 * Confirms an act and runs it, in one transaction. Null: the act does not wait any more, and nothing was done.
 * @param act a transaction; if it returns a Failure, it has written nothing, and the act goes on waiting
 */
export function* confirmApproval<Result>(
  sql: Sql,
  decision: Omit<Decision, 'state'>,
  act: Transaction<Result>,
): Transaction<{ readonly result: Result } | null> {
  const decided = yield* decide(sql, { ...decision, state: 'confirmed' })
  if (decided === undefined) return null
  const result = yield* act
  if (!(result instanceof Failure)) yield* tell(sql, decision, 'approval_confirmed', decided)
  else {
    const undecided = { state: 'waiting', decided_by: null, decided_at: null } as const
    yield* rows(sql.db.updateTable('approvals').set(undecided).where('id', '=', decision.id))
  }
  return { result }
}

type Decided = Pick<Approval, 'accountId' | 'askedBy'> & { readonly act: string }

function* decide(sql: Sql, { event, id, state }: Decision): Transaction<Decided | undefined> {
  const now = yield* sql.clock()
  return yield* first(
    sql.db
      .updateTable('approvals')
      .set({ state, decided_by: event.actor, decided_at: now })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where('expires_at', '>', now)
      .returning(['act', 'account_id as accountId', 'asked_by as askedBy']),
  )
}

function* tell(
  sql: Sql,
  { event, id }: Pick<Decision, 'event' | 'id'>,
  name: string,
  { accountId, act, askedBy }: Decided,
): Transaction<void> {
  yield* writeAdminEvent(sql, event, name, { accountId, facts: { approval: id, act, asked_by: askedBy } })
}

/** Deletes at most `piece` old approvals; their events stay in the audit. */
export const deleteApprovals = (sql: Sql, now: number, piece: number): Transaction<number> =>
  deletePiece(sql, 'approvals', 'asked_at', now - APPROVAL_KEPT_MS, piece)

interface LoneAct {
  readonly act: TwoPersonAct
  /** The credits that it moves. */
  readonly credits: number
  /** The credits from which on a second person is needed. */
  readonly limit: number
  readonly person: string
}

/** Null: the act may be done alone, whatever the person has done before. */
export function loneAct(
  twoPersons: TwoPersons,
  person: string | null,
  { act, credits }: Pick<LoneAct, 'act' | 'credits'>,
): LoneAct | null {
  const limit = twoPersons[act]
  return limit === undefined || credits === 0 || person === null ? null : { act, credits, limit, person }
}

/** Runs the verb of an act. Null: it needs a second person, and nothing was done. */
export async function runAlone<Args extends readonly unknown[], Result>(
  store: Runner,
  alone: LoneAct | null,
  verb: Verb<Args, Result>,
  ...args: Args
): Promise<{ readonly result: Result } | null> {
  if (alone === null) return { result: await store.run(verb, ...args) }
  return await store.run((sql: Sql) => withinLimit(sql, alone, verb(sql, ...args)))
}

/** One transaction at a time, because the acts of a person may come at once, by several tokens and to several nodes. */
function* withinLimit<Result>(
  sql: Sql,
  { act, credits, limit, person }: LoneAct,
  verb: Transaction<Result>,
): Transaction<{ readonly result: Result } | null> {
  yield* awaitLock(sql, LONE_ACT_LOCK)
  const now = yield* sql.clock()
  const moved = yield* first(
    sql.db
      .selectFrom('lone_acts')
      .select(raw<number>`cast(coalesce(sum(credits), 0) as bigint)`.as('credits'))
      .where('person', '=', person)
      .where('act', '=', act)
      .where('at', '>', now - LONE_ACTS_MS),
  )
  if (Number(moved!.credits) + credits >= limit) return null
  const result = yield* verb
  if (isDone(result)) yield* rows(sql.db.insertInto('lone_acts').values({ person, act, at: now, credits }))
  return { result }
}

/** A verb that returns a Failure, null or a replay has moved nothing. */
const isDone = (result: unknown): boolean =>
  !(result instanceof Failure) &&
  result !== null &&
  (result as { readonly outcome?: string }).outcome !== 'replayed'

/** Deletes at most `piece` acts that count no more. */
export const deleteLoneActs = (sql: Sql, now: number, piece: number): Transaction<number> =>
  deletePiece(sql, 'lone_acts', 'at', now - LONE_ACTS_MS, piece)
