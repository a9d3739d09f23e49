/** Transactions that both databases run: generators that yield statements and receive their rows, their runners, and their failures. */

import { type Compilable, Kysely, PostgresDialect, sql as raw, SqliteDialect } from 'kysely'
import { boundedQueue } from '../../base/bounded-queue.ts'
import type { Schema } from './schema.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export const statement = (sql: string, ...parameters: readonly unknown[]): Statement => ({ sql, parameters })

export type Row = Record<string, unknown>

/**
 * The steps of one transaction. On SQLite they run synchronously, so nothing interleaves. On PostgreSQL each is
 * awaited, and after a serialization failure all run again from the start: they must have no other side effects.
 */
export type Transaction<Result> = Generator<Statement, Result, Row[]>

type Dialect = 'sqlite' | 'postgres'

/** Builds a verb's statements. */
export interface Sql {
  readonly dialect: Dialect
  readonly db: Kysely<Schema>
  /** Reads the database's clock in epoch milliseconds; call it once the locks are held. */
  clock(): Transaction<number>
  /** Locks accounts against all other writers, in id order. SQLite has a single writer anyway. */
  lock(accountIds: readonly number[]): Transaction<void>
  readonly addresses: Addresses
  /** Whether the audit has a partition for each day. */
  readonly isByDay: boolean
  /** The threshold of the event `credits.low` for accounts without one of their own; 0: none. */
  lowCredits(): number
  /** Says that this transaction erases what must not stay in the log of an embedded database either. */
  erases(): void
}

/** The e-mail addresses of accounts, each unique. Changes hold the lock of the address. */
interface Addresses {
  accountIdOf(address: string): Transaction<number | null>
  /** To be called after the account was inserted with this address. */
  add(address: string, accountId: number): Transaction<void>
  /** To be called after the account was deleted. */
  remove(address: string): Transaction<void>
}

/** The rows of a query. */
export function* rows<Result>(query: Compilable<Result>): Transaction<Result[]> {
  const { sql, parameters } = query.compile()
  return (yield { sql, parameters }) as Result[]
}

/** The first row of a query, if any. */
export function* first<Result>(query: Compilable<Result>): Transaction<Result | undefined> {
  return (yield* rows(query))[0]
}

/**
 * Deletes the oldest rows up to a time: `piece` of them, and those that share the time of the last one. Returns their number.
 * @param column holds the time and has an index
 */
export function* deletePiece<Table extends keyof Schema & string>(
  { db }: Sql,
  table: Table,
  column: string & keyof Schema[Table],
  until: number,
  piece: number,
  condition = raw`1 = 1`,
): Transaction<number> {
  const [from, time] = [raw.table(table), raw.ref(column)]
  const beyond = raw<{
    time: number
  }>`SELECT ${time} AS time FROM ${from} WHERE ${condition} AND ${time} <= ${until}
    ORDER BY ${time} LIMIT 1 OFFSET ${raw.lit(piece - 1)}`
  const [last] = yield beyond.compile(db)
  const deletion = raw`DELETE FROM ${from} WHERE ${condition} AND ${time} <= ${last?.time ?? until} RETURNING 1 AS deleted`
  return (yield deletion.compile(db)).length
}

/** The properties that differ from those of a single PostgreSQL server, whose audit is partitioned by days. */
type Differences = Partial<Pick<Sql, 'addresses' | 'erases' | 'isByDay' | 'lock' | 'lowCredits'>>

/**
 * @param clockSql returns the time as `now`
 * @param timeOf corrects this time
 */
export function sqlFor(
  dialect: Dialect,
  clockSql: () => Statement,
  timeOf = (now: number) => now,
  differences: Differences = {},
): Sql {
  const db = new Kysely<Schema>({
    dialect:
      dialect === 'sqlite'
        ? new SqliteDialect({ database: neverConnects })
        : new PostgresDialect({ pool: neverConnects }),
  })
  return {
    dialect,
    db,
    *clock() {
      return timeOf(Number((yield clockSql())[0].now))
    },
    *lock(accountIds) {
      if (dialect === 'sqlite' || accountIds.length === 0) return
      const ids = [...new Set(accountIds)].sort((a, b) => a - b)
      yield* rows(db.selectFrom('accounts').select('id').where('id', 'in', ids).orderBy('id').forUpdate())
    },
    addresses: {
      // Their index keeps them unique.
      *accountIdOf(address) {
        return (
          (yield* first(db.selectFrom('accounts').select('id').where('address', '=', address)))?.id ?? null
        )
      },
      *add() {},
      *remove() {},
    },
    isByDay: dialect === 'postgres',
    lowCredits: () => 0,
    erases: () => undefined,
    ...differences,
  }
}

/** Kysely connects at the first query that it runs, and runs none here. */
const neverConnects = () => Promise.reject(new Error('Kysely only builds statements'))

export type Verb<Args extends readonly unknown[], Result> = (sql: Sql, ...args: Args) => Transaction<Result>

/** The result of a verb that is not null. */
export type ResultOf<Made extends (...args: never[]) => Generator> =
  ReturnType<Made> extends Generator<unknown, infer Result> ? NonNullable<Result> : never

/** Runs each verb in a transaction of its own. Rejects with NotCommitted or OutcomeUnknown. */
export interface Runner {
  run<Args extends readonly unknown[], Result>(verb: Verb<Args, Result>, ...args: Args): Promise<Result>
}

/** Runs a transaction on one of the databases. Rejects with NotCommitted or OutcomeUnknown. */
export type Run = <Result>(transaction: () => Transaction<Result>) => Promise<Result>

/** @param sql builds the statements of every verb */
export const runnerOf = (sql: Sql, run: Run): Runner => ({
  run: (verb, ...args) => run(() => verb(sql, ...args)),
})

/**
 * Runs at most `concurrent` transactions at once and the others in order. If one cannot reach the database, those that
 * wait fail with it at once, instead of each waiting for its own time-out.
 */
export function queued(
  run: Run,
  concurrent: number,
  cannotReach = (error: unknown): boolean => error instanceof NotCommitted,
): Run {
  const queue = boundedQueue({ concurrent, failsWaiting: cannotReach })
  return (transaction) => queue(() => run(transaction))
}

/** The transaction was certainly not committed. */
export class NotCommitted extends Error {
  override readonly name = 'NotCommitted'
}

/** A server did not accept a connection. */
export class CannotConnect extends NotCommitted {}

/** Another process holds the lock for writing: nothing was written, but all that is committed can be read. */
export class Locked extends NotCommitted {}

/** The connection was lost, or the log could not be forced, around COMMIT: the transaction may be committed. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** The database cannot be used in this way; the message is one line for the operator. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}
