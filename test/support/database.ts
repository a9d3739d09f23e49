/** Reads and changes the database of a test service without the service. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'

/** Where the database of a service is. */
export interface DatabasePlace {
  readonly dataDir: string
  /** null: SQLite, in the data folder. */
  readonly databaseUrl: string | null
}

/** Runs one SQL statement without parameters and returns its rows. */
export async function query(service: DatabasePlace, sql: string): Promise<Record<string, unknown>[]> {
  if (service.databaseUrl !== null) return await onPostgres(service.databaseUrl, sql)
  const db = new Database(join(service.dataDir, 'quantd.db'), { timeout: 5_000 })
  try {
    const statement = db.prepare(sql)
    if (statement.reader) return statement.all() as Record<string, unknown>[]
    statement.run()
    return []
  } finally {
    db.close()
  }
}

/** Connections by address: they are kept for a second, because making one costs more than most statements. */
const pools = new Map<string, pg.Pool>()

async function onPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  let pool = pools.get(url)
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: url, idleTimeoutMillis: 1_000, allowExitOnIdle: true })
    // A test may stop the server.
    pool.on('error', () => undefined)
    pools.set(url, pool)
  }
  return (await pool.query(sql)).rows
}

export async function number(service: DatabasePlace, sql: string): Promise<number> {
  return Number(Object.values((await query(service, sql))[0])[0])
}

/** The columns of every table, by table in the order of their names, on either database. */
export async function tableColumns(service: DatabasePlace): Promise<Map<string, string[]>> {
  const found =
    service.databaseUrl === null
      ? await query(
          service,
          `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
           WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1`,
        )
      : await query(
          service,
          `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
           WHERE table_schema = 'public' AND table_name NOT LIKE 'pg_%' AND table_name NOT LIKE 'citus%'
           ORDER BY 1`,
        )
  return new Map(
    [...Map.groupBy(found, ({ table }) => String(table))].map(([table, of]) => [
      table,
      of.map(({ column }) => String(column)),
    ]),
  )
}

/** Every value of every column of every table, by table: texts as they are, bytes as a character each. */
export async function tableTexts(service: DatabasePlace): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [table] of await tableColumns(service)) {
    const texts = (await query(service, `SELECT * FROM "${table}"`)).flatMap((row) =>
      Object.values(row).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
      ),
    )
    found.set(table, texts.join('\n'))
  }
  return found
}

/** Everything that a copy of the database would reveal: every value as text, bytes as they are; on SQLite the files too. */
export async function everything(service: DatabasePlace): Promise<string> {
  const texts = [...(await tableTexts(service)).values()]
  if (service.databaseUrl === null)
    for (const file of ['quantd.db', 'quantd.db-wal'].map((name) => join(service.dataDir, name)))
      if (existsSync(file)) texts.push(readFileSync(file, 'latin1'))
  return texts.join('\n')
}

/** Accounts whose balance is not grants + transfers + refunds − debits; there should be none. */
export const unbalanced = (service: DatabasePlace) =>
  query(
    service,
    `SELECT id FROM (
       SELECT id, 1 AS accounts, balance AS amount FROM accounts
       UNION ALL SELECT account_id, 0, -amount FROM ledger
       UNION ALL SELECT account_id, 0, credits FROM audit) AS movements
     GROUP BY id HAVING sum(accounts) = 1 AND sum(amount) <> 0`,
  )
