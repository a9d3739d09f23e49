/** Runs transactions on PostgreSQL, one round trip a statement. */
import type { Client, Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { NotCommitted, OutcomeUnknown, type Run, type Transaction, UnusableDatabase } from '../sql.ts'
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
