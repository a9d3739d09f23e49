/** Refuses a database that the service cannot use: behind a connection pooler, or in an encoding without some characters. */
import { UnusableDatabase } from '../outcomes.ts'
import { type Run, statement } from '../sql.ts'

/** The setting that connection.ts sends with each connection and that no server has by default. */
const SENT = { name: 'idle_in_transaction_session_timeout', value: '5s' }
/** PgBouncer's error for a setting in a startup packet. */
const REFUSED = /unsupported startup parameter/
/** SQL_ASCII stores bytes unchanged, and quantd sends UTF-8. */
const ENCODINGS: readonly unknown[] = ['UTF8', 'SQL_ASCII']

/**
 * Group commits rely on prepared statements and settings of their own connections. PgBouncer refuses these settings or, if
 * configured to ignore them, sends each transaction to any free connection of the server.
 * @throws UnusableDatabase
 */
export async function refuseUnusable(run: Run): Promise<void> {
  const { encoding, value } = await run(function* () {
    const [row] = yield statement(
      "SELECT current_setting($1) AS value, current_setting('server_encoding') AS encoding",
      SENT.name,
    )
    return row!
  }).catch((error: Error) => {
    if (REFUSED.test(error.message)) throw behindPooler(error.message)
    throw error
  })
  if (value !== SENT.value) throw behindPooler(`${SENT.name} is ${value}, not ${SENT.value}`)
  if (!ENCODINGS.includes(encoding))
    throw new UnusableDatabase(
      `The database in DATABASE_URL has the encoding ${encoding}, which cannot hold every name: make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    )
}

const behindPooler = (reason: string) =>
  new UnusableDatabase(
    `DATABASE_URL leads to a connection pooler such as PgBouncer, which drops session settings and prepared statements (${reason}): name PostgreSQL itself.`,
  )
