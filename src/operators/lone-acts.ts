/**
 * Acts that one person does alone, because they move fewer credits than QUANTD_TWO_PERSONS allows. What a person moves within a
 * day is summed, so that many small acts are not a large one without its second person.
 */
import { sql as raw } from 'kysely'
import { Failure } from '../base/failure.ts'
import { LONE_ACTS_MS } from '../base/limits/operation.ts'
import { awaitLock, LONE_ACT_LOCK } from '../ledger/store/locks.ts'
import { deletePiece, first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner, Verb } from '../ledger/store/store.ts'
import type { TwoPersonAct, TwoPersons } from './roles.ts'

export interface LoneAct {
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
export function* withinLimit<Result>(
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
