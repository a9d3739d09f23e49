/** Transactions that both databases run: generators that yield statements and receive their rows. */
import {
  type Compilable,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql as raw,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { bucketOf } from '../buckets.ts'
import type { Schema } from './schema.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export type Row = Record<string, unknown>

/**
 * The steps of one transaction. On SQLite they run synchronously, so nothing interleaves. On PostgreSQL each is
 * awaited, and after a serialization failure all run again from the start: they must have no other side effects.
 */
export type Transaction<Result> = Generator<Statement, Result, Row[]>

export type Dialect = 'sqlite' | 'postgres'

/** Builds a verb's statements. */
export interface Sql {
  readonly dialect: Dialect
  readonly db: Kysely<Schema>
  /** Reads the database's clock in epoch milliseconds; call it once the locks are held. */
  clock(): Transaction<number>
  /** Locks accounts against all other writers, in id order. SQLite has a single writer anyway. */
  lock(accountIds: readonly number[]): Transaction<void>
  /** How rows are distributed over several servers by the bucket of their account; null: there is one server. */
  readonly sharding: Sharding | null
  /** Whether the audit has a partition for each day. */
  readonly isByDay: boolean
}

/** Statements built with Kysely get their buckets by `plugin`; those in plain text ask for them. */
export interface Sharding {
  readonly plugin: KyselyPlugin
  /** The bucket that all statements are limited to; null: no limit. */
  readonly only: number | null
  isDistributed(table: string): boolean
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

/** Deletes at most `piece` rows that meet a condition; returns how many. */
export function* deletePiece(
  { db, dialect, sharding }: Sql,
  table: keyof Schema,
  condition: RawBuilder<unknown>,
  piece: number,
): Transaction<number> {
  const place = raw.ref(dialect === 'sqlite' ? 'rowid' : 'ctid')
  const bucket = sharding?.isDistributed(table) ? raw`bucket = ${sharding.only} AND ` : raw``
  const deletion = raw`DELETE FROM ${raw.table(table)} WHERE ${bucket}${place} IN
    (SELECT ${place} FROM ${raw.table(table)} WHERE ${bucket}${condition} LIMIT ${raw.lit(piece)}) RETURNING 1 AS one`
  return (yield deletion.compile(db)).length
}

/**
 * @param clockSql returns the time as `now`
 * @param timeOf corrects it
 */
export function sqlFor(
  dialect: Dialect,
  clockSql: () => Statement,
  timeOf = (now: number) => now,
  sharding: Sharding | null = null,
): Sql {
  const plugins = sharding === null ? [] : [sharding.plugin]
  const db = new Kysely<Schema>({ dialect: compileOnly(dialect), plugins })
  return {
    dialect,
    db,
    *clock() {
      return timeOf(Number((yield clockSql())[0].now))
    },
    *lock(accountIds) {
      if (dialect === 'sqlite' || accountIds.length === 0) return
      const ids = [...new Set(accountIds)].sort((a, b) => a - b)
      // A statement can lock rows of one shard only.
      const groups = sharding === null ? [ids] : byBucket(ids)
      for (const own of groups)
        yield* rows(db.selectFrom('accounts').select('id').where('id', 'in', own).orderBy('id').forUpdate())
    },
    sharding,
    isByDay: dialect === 'postgres' && sharding === null,
  }
}

const byBucket = (ids: readonly number[]): number[][] =>
  [...Map.groupBy(ids, bucketOf)].sort(([a], [b]) => a - b).map(([, own]) => own)

const compileOnly = (dialect: Dialect) =>
  dialect === 'sqlite'
    ? {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      }
    : {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      }
