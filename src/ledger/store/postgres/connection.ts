/** Connections to PostgreSQL: with time-outs, 64-bit integers as numbers, and reconnection at the next use. */
import { type Client, type ClientConfig, DatabaseError, Pool, type PoolConfig, types } from 'pg'
import {
  ANSWER_MS,
  CLUSTER_STATEMENT_MS,
  CONNECT_MS,
  DATABASE_START_MS,
  POOLED_CONNECTIONS,
  ROW_LOCK_MS,
  STATEMENT_MS,
} from '../../../base/limits/operation.ts'
import { SECOND_MS } from '../../../base/time.ts'
import { CannotConnect, OutcomeUnknown } from '../sql.ts'
import { type Primary, PrimaryClient, primaryOf } from './primary.ts'

/** A connection whose statement fails within this time was lost before it. */
export const STALE_MS = 50
/** Without a commit for this long, the server may have been replaced in a way that ended no connection. */
const FRUITLESS_MS = 2 * SECOND_MS
/** The OID of the type bigint. */
const BIGINT = 20

/**
 * Settings that replace those of the database or the login: bytes are printed as hexadecimal digits, NULL in an array means null,
 * and a COMMIT that no standby has confirmed causes a warning.
 */
const OPTIONS = [
  '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
  '-c bytea_output=hex -c array_nulls=on -c client_min_messages=warning',
].join(' ')
/** Statements are planned once, perhaps while the tables are empty; these settings force plans that use the indexes. */
const PLAN_ONCE = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off'

const settings = (primary: Primary): ClientConfig & { primary: Primary } => ({
  primary,
  connectionString: primary.url,
  application_name: 'quantd',
  connectionTimeoutMillis: CONNECT_MS,
  idle_in_transaction_session_timeout: 5_000,
  keepAlive: true,
  options: OPTIONS,
  types: {
    // Identifiers and epoch milliseconds stay well below 2^53.
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === BIGINT ? Number : types.getTypeParser(oid, format as 'text'),
  } as never,
})

export interface DatabaseConnection {
  /** Connects if there is no live connection. Rejects with NotCommitted if the database cannot be reached. */
  client(): Promise<Client>
  /** Destroys the connection, because its state is unknown. */
  drop(): void
  /** Notes how a group ended. After 2 s of failures alone, the next connection searches the primary again. */
  note(group: { readonly isCommitted: boolean }): void
  close(): Promise<void>
}

/**
 * One connection for prepared statements, several in a round trip.
 * @param options further settings of the server
 */
export function pipelined(url: string, primary = primaryOf(url), options = ''): DatabaseConnection {
  let current: Promise<Client> | null = null
  let live: Client | null = null
  let isClosed = false
  let fruitlessSince: number | null = null
  const forget = (client: Client) => {
    if (live !== client) return
    live = null
    current = null
  }
  const drop = () => {
    const client = live
    live = null
    current = null
    client?.connection?.stream?.destroy()
  }
  const connect = async (): Promise<Client> => {
    const client = new PrimaryClient({
      ...settings(primary),
      options: `${OPTIONS} ${PLAN_ONCE} ${options}`,
      lock_timeout: ROW_LOCK_MS,
    })
    client.on('error', () => forget(client))
    client.on('end', () => forget(client))
    noteUnreplicated(client)
    try {
      await client.connect()
    } catch (error) {
      // An open connection would count against the server's limit of connections.
      client.connection.stream.destroy()
      throw error
    }
    live = client
    return client
  }
  return {
    async client() {
      // An entry that no reply waits for can arrive after the close; it must not connect again.
      if (isClosed) throw cannotConnect(new Error('the store is closed'))
      current ??= connect().catch((error) => {
        current = null
        throw cannotConnect(error)
      })
      return await current
    },
    drop,
    note({ isCommitted }) {
      const now = performance.now()
      fruitlessSince = isCommitted ? null : (fruitlessSince ?? now)
      if (fruitlessSince === null || now - fruitlessSince < FRUITLESS_MS) return
      fruitlessSince = null
      primary.forget()
      drop()
    },
    async close() {
      isClosed = true
      const client = live ?? (await current?.catch(() => null))
      live = null
      current = null
      if (client == null) return
      // A server that hangs does not end its side.
      const timer = setTimeout(() => client.connection.stream.destroy(), ANSWER_MS)
      await client.end().catch(() => undefined)
      clearTimeout(timer)
    },
  }
}

/** Connections for verbs, which are not on the hot path. `isCluster`: the server is the coordinator of a cluster. */
export const pooled = (
  url: string,
  { isCluster = false, primary = primaryOf(url) }: { isCluster?: boolean; primary?: Primary } = {},
): Pool =>
  poolOf({
    ...settings(primary),
    ...(isCluster && { statement_timeout: CLUSTER_STATEMENT_MS.server }),
    query_timeout: isCluster ? CLUSTER_STATEMENT_MS.most : STATEMENT_MS,
    max: POOLED_CONNECTIONS,
  })

/** One connection with the time limits of group commits. @param name of the application, as the server shows it */
export const probing = (primary: Primary, name: string): Pool =>
  poolOf({
    ...settings(primary),
    application_name: name,
    query_timeout: ANSWER_MS,
    max: 1,
  })

/** One connection for the migrations of a start. */
export const patient = (primary: Primary): Pool =>
  poolOf({
    ...settings(primary),
    connectionTimeoutMillis: DATABASE_START_MS.connect,
    query_timeout: DATABASE_START_MS.answer,
    max: 1,
  })

function poolOf(config: PoolConfig): Pool {
  // The pool passes its options to its clients.
  const Client = PrimaryClient as unknown as NonNullable<PoolConfig['Client']>
  const pool = new Pool({ ...config, Client })
  pool.on('error', () => undefined)
  // Without a listener, losing a connection between two statements would end the process; the next statement fails.
  pool.on('connect', (client) => noteUnreplicated(client.on('error', () => undefined)))
  return pool
}

export const cannotConnect = (error: unknown): CannotConnect =>
  new CannotConnect(`Cannot connect to PostgreSQL: ${(error as Error).message}`, { cause: error })

/** Whether a statement was not answered within the driver's time limit. */
export const isUnanswered = (error: unknown): boolean => (error as Error).message === 'Query read timeout'

/** Whether the error is a serialization failure or a deadlock, after which the transaction can be repeated. */
export const mayRunAgain = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01')

const unreplicated = new WeakSet<object>()

/** PostgreSQL names the function of a notice in every language: this one waits for the synchronous standby. */
const noteUnreplicated = (client: Pick<Client, 'on'>) =>
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') unreplicated.add(client)
  })

/**
 * Whether the server has reported a COMMIT on this connection that no synchronous standby has confirmed, because the wait
 * was cancelled: a failover can lose it, so its outcome is unknown.
 */
export const isUnreplicated = (client: object): boolean => unreplicated.has(client)

export const notReplicated = () => new OutcomeUnknown('PostgreSQL committed without its synchronous standby')

/**
 * Whether the server answered with an error. Any other error means that the connection is lost or stalled, or that its
 * prepared statements predate a change of the tables (0A000 of `RevalidateCachedQuery`; another 0A000 is an unsupported
 * statement). Errors that end the session (57P0x, and its time-outs 25P03 and 25P04) do not count as answers, because the
 * server may report them after it has committed; nor does the refusal of a standby to write (25006), because the next
 * connection may reach the primary.
 */
export const isAnswer = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  !/^(57P0|25P0[34]|25006|08)/.test(error.code ?? '') &&
  error.routine !== 'RevalidateCachedQuery'

/** Whether the server is read-only (25006), lacks resources (class 53), met a system error (58), or gave up a lock or statement. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(25006|53|58|55P03|57014)/.test(error.code ?? '')

/** Whether the error is internal (class XX). A coordinator reports XX000 if it cannot reach the server of a row. */
export const isInternal = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code?.startsWith('XX') === true

/** Whether a lock was not granted in time. */
export const isLocked = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03'

/** Whether COMMIT took effect: after a failed statement the server answers it with ROLLBACK, not with an error. */
export const isCommitted = (result: { readonly command: string }): boolean => result.command === 'COMMIT'
