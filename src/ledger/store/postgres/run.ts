/** Runs transactions on PostgreSQL, one round trip a statement, and checks whether a group commit would succeed. */
import { randomBytes } from 'node:crypto'
import type { Client, Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import {
  NotCommitted,
  OutcomeUnknown,
  type Run,
  statement,
  type Transaction,
  UnusableDatabase,
} from '../sql.ts'
import { type Replication, replication } from '../store.ts'
import {
  cannotConnect,
  isAnswer,
  isCommitted,
  isInternal,
  isRefusal,
  isUnanswered,
  isUnreplicated,
  mayRunAgain,
  notReplicated,
  probing,
} from './connection.ts'
import { type Primary, READ_TIMELINE } from './primary.ts'

const MAX_TRIES = 8

interface RunnerOptions {
  readonly begin?: string
  /** The time limit of `begin`, which waits for no lock; absent: that of every statement. */
  readonly beginMs?: number
  /** Refuses a server that was replaced; absent: only reads may run. */
  readonly primary?: Primary
  /** Further errors after which a transaction is repeated. */
  readonly isPassing?: (error: unknown) => boolean
}

/** Runs transactions on connections of a pool; repeats one that lost against another. */
export function runnerOn(
  pool: Pool,
  { begin = 'BEGIN', beginMs, isPassing = () => false, primary }: RunnerOptions,
): Run {
  const start = async (client: PoolClient): Promise<void> => {
    // Both statements in one round trip.
    const text = primary === undefined ? begin : `${begin}; ${READ_TIMELINE}`
    const answers = await client.query({ text, query_timeout: beginMs } as QueryConfig).catch((error) => {
      throw isUnanswered(error) ? cannotConnect(error) : error
    })
    if (primary === undefined) return
    const [, read] = answers as unknown as QueryResult[]
    primary.check(read!.rows[0].timeline, client as unknown as Client)
  }
  return async (transaction) => {
    for (let tries = 1; ; tries++) {
      const client = await pool.connect().catch((error) => {
        throw cannotConnect(error)
      })
      let isLost = false
      try {
        return await runOnce(client, start, transaction())
      } catch (error) {
        isLost = error instanceof NotCommitted || error instanceof OutcomeUnknown
        if (!((mayRunAgain(error) || isPassing(error)) && tries < MAX_TRIES)) throw error
      } finally {
        client.release(isLost)
      }
    }
  }
}

async function runOnce<Result>(
  client: PoolClient,
  start: (client: PoolClient) => Promise<void>,
  steps: Transaction<Result>,
): Promise<Result> {
  let isCommitting = false
  try {
    await start(client)
    let step = steps.next()
    while (!step.done) {
      const { parameters, sql } = step.value
      step = steps.next((await client.query(sql, [...parameters])).rows)
    }
    isCommitting = true
    if (!isCommitted(await client.query('COMMIT')))
      throw new NotCommitted('PostgreSQL rolled back a transaction')
    if (isUnreplicated(client)) throw notReplicated()
    return step.value
  } catch (error) {
    if (error instanceof NotCommitted || error instanceof OutcomeUnknown) throw error
    if (isCommitting) {
      if (mayRunAgain(error)) throw error
      // An error in reply to COMMIT counts, too: a server whose disk is full may have written the log up to that record before
      // it ends.
      throw new OutcomeUnknown('PostgreSQL did not confirm COMMIT', { cause: error })
    }
    if (isAnswer(error) || error instanceof UnusableDatabase)
      await client.query('ROLLBACK').catch(() => undefined)
    if (error instanceof UnusableDatabase) throw error
    if (isRefusal(error) || isInternal(error))
      throw new NotCommitted('PostgreSQL refused a transaction', { cause: error })
    if (isAnswer(error)) throw error
    throw new NotCommitted('The connection to PostgreSQL was lost', { cause: error })
  }
}

/**
 * A message in the write-ahead log, which COMMIT forces to disk and to the synchronous standby, and a file beside the
 * tables, which a full disk refuses although the log has space left. The file ends with the transaction; no reader of the
 * log knows the message. Every role may do both.
 */
const WRITE = `SELECT pg_logical_emit_message(true, 'quantd', ''), pg_export_snapshot(),
  current_setting('transaction_read_only') = 'on' AS refuses`

/** A change of no row, for which a lock of the table is waited for as each group commit does. */
const CHANGE = 'UPDATE accounts SET balance = balance WHERE false'

/** @param run runs the transaction that ends a COMMIT which was given up */
export function openProbe(primary: Primary, run: Run) {
  const name = `quantd probe ${randomBytes(8).toString('hex')}`
  const pool = probing(primary, name)
  const onProbe = runnerOn(pool, { primary })
  return {
    /** Resolves, if a group commit would succeed now, with how the database replicates. */
    async ping(): Promise<Replication> {
      try {
        return await onProbe(function* () {
          const [written] = yield statement(WRITE)
          if (written!.refuses === true) throw new NotCommitted('PostgreSQL is read-only')
          yield statement(CHANGE)
          return yield* replication({ dialect: 'postgres' })
        })
      } catch (error) {
        primary.forget()
        await run(() => cancelWaits(name)).catch(() => undefined)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

/** Ends COMMITs of earlier probes that wait for a standby. They wait on without their client, and would use up the connections. */
function* cancelWaits(name: string): Transaction<void> {
  yield statement(
    `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'SyncRep'`,
    name,
  )
}
