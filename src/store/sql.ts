/** Transactions as both databases share them: generators that yield statements and are sent the rows. */
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql as raw,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Schema } from './schema.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export type Row = Record<string, unknown>

/**
 * The steps of one transaction. SQLite runs them to the end without leaving the turn, so nothing interleaves;
 * PostgreSQL awaits each, and runs them from the start again after a serialization failure: keep them pure.
 */
export type Transaction<Result> = Generator<Statement, Result, Row[]>

export type Dialect = 'sqlite' | 'postgres'

/** What a verb builds its statements with. */
export interface Sql {
  readonly dialect: Dialect
  readonly db: Kysely<Schema>
  /** Reads the database's clock; call it after the locks. */
  clock(): Transaction<number>
  /** Locks accounts against every other writer, in id order; SQLite has one writer anyway. */
  lock(accountIds: readonly number[]): Transaction<void>
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

/** Deletes rows that meet a condition, at most `piece` of them; returns how many. */
export function* deletePiece(
  { db, dialect }: Sql,
  table: keyof Schema,
  condition: RawBuilder<unknown>,
  piece: number,
): Transaction<number> {
  const place = raw.ref(dialect === 'sqlite' ? 'rowid' : 'ctid')
  const deletion = raw`DELETE FROM ${raw.table(table)} WHERE ${place} IN
    (SELECT ${place} FROM ${raw.table(table)} WHERE ${condition} LIMIT ${raw.lit(piece)}) RETURNING 1 AS one`
  return (yield deletion.compile(db)).length
}

/** Builds statements for a dialect; `clockSql` is a statement that returns the time as `now`. */
export function sqlFor(dialect: Dialect, clockSql: () => Statement): Sql {
  const db = new Kysely<Schema>({ dialect: compileOnly(dialect) })
  return {
    dialect,
    db,
    *clock() {
      return Number((yield clockSql())[0]!.now)
    },
    *lock(accountIds) {
      if (dialect === 'sqlite' || accountIds.length === 0) return
      const ids = [...new Set(accountIds)].sort((a, b) => a - b)
      yield* rows(db.selectFrom('accounts').select('id').where('id', 'in', ids).orderBy('id').forUpdate())
    },
  }
}

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
