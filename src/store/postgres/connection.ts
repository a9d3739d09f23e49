/** Connections to PostgreSQL: bounded waits, numbers as numbers, made anew after they are lost. */
import { Client, type ClientConfig, DatabaseError, Pool, type QueryConfig, type QueryResult, types } from 'pg'
import { NotCommitted } from '../outcomes.ts'

/** A caller hears within 2 s that the database is away: connecting and each answer take no longer than this. */
const CONNECT_TIMEOUT_MS = 800
const ANSWER_TIMEOUT_MS = 1_000
/** How long a batch waits for a row that somebody else holds. */
const LOCK_TIMEOUT_MS = 300
/** A connection that fails this soon was lost before it was used. */
export const STALE_MS = 50
const BIGINT = 20

const OPTIONS = '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed'
/** Statements are planned once, perhaps while the tables are empty: by their index, whatever the tables' size. */
const PLAN_ONCE = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off'

const settings = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: 'quantd',
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: 5_000,
  keepAlive: true,
  options: OPTIONS,
  types: {
    // Identifiers and epoch milliseconds stay well below 2^53.
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === BIGINT ? Number : types.getTypeParser(oid, format as 'text'),
  } as never,
})

export interface Connection {
  /** Connects where there is no live connection. Rejects when the database is away. */
  client(): Promise<Client>
  /** Ends the connection: its state is no longer known. */
  drop(): void
  close(): Promise<void>
}

/** One connection that sends its prepared statements without waiting for the ones before. */
export function pipelined(url: string): Connection {
  let current: Promise<Client> | null = null
  let live: Client | null = null
  const forget = (client: Client) => {
    if (live !== client) return
    live = null
    current = null
  }
  const connect = async (): Promise<Client> => {
    const client = new Client({
      ...settings(url),
      options: `${OPTIONS} ${PLAN_ONCE}`,
      query_timeout: ANSWER_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      pipeline: true,
    })
    client.on('error', () => forget(client))
    client.on('end', () => forget(client))
    await client.connect()
    live = client
    return client
  }
  return {
    client() {
      current ??= connect().catch((error) => {
        current = null
        throw cannotConnect(error)
      })
      return current
    },
    drop() {
      const client = live
      live = null
      current = null
      client?.connection?.stream?.destroy()
    },
    async close() {
      const client = live
      live = null
      current = null
      await client?.end().catch(() => undefined)
    },
  }
}

/**
 * Sends statements in one packet and without waiting in between; a null is skipped. After a failure within a
 * transaction the server refuses the later statements, and answers COMMIT with ROLLBACK.
 */
export function sendTogether(
  client: Client,
  queries: readonly (QueryConfig | null)[],
): (Promise<QueryResult> | null)[] {
  const { stream } = client.connection
  stream.cork()
  try {
    return queries.map((query) => query && client.query(query))
  } finally {
    stream.uncork()
  }
}

/** Connections for the verbs that are not on the hot path. */
export function pooled(url: string): Pool {
  const pool = new Pool({ ...settings(url), query_timeout: 10 * ANSWER_TIMEOUT_MS, max: 8 })
  pool.on('error', () => undefined)
  // Of a connection that is lost while it is lent out, between two statements; the next statement fails by itself.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export const cannotConnect = (error: unknown): NotCommitted =>
  new NotCommitted(`Cannot connect to PostgreSQL: ${(error as Error).message}`, { cause: error })

/** Two transactions met: the one that lost may simply run again. */
export const mayRunAgain = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01')

/** The server answered; anything else means that the connection is lost, stalled, or older than the tables. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof DatabaseError && !/^(57P0|08|0A000)/.test(error.code ?? '')

/** A row was held by somebody else for longer than a batch waits. */
export const isLocked = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03'

/** COMMIT of a failed transaction reports no error; it says ROLLBACK. */
export const isCommitted = (result: { readonly command: string }): boolean => result.command === 'COMMIT'
