/** Runs transactions on PostgreSQL, one round trip a statement. */
import type { Pool, PoolClient } from 'pg'
import type { Run } from '../methods.ts'
import { NotCommitted, OutcomeUnknown } from '../outcomes.ts'
import type { Transaction } from '../sql.ts'
import { cannotConnect, isAnswer, isCommitted, isRefusal, mayRunAgain } from './connection.ts'

const MAX_TRIES = 8

/** Runs transactions on connections of a pool; repeats one that lost against another. */
export function runnerOn(pool: Pool, begin = 'BEGIN'): Run {
  return async (transaction) => {
    for (let attempt = 1; ; attempt++) {
      const client = await pool.connect().catch((error) => {
        throw cannotConnect(error)
      })
      let isLost = false
      try {
        return await runOnce(client, begin, transaction())
      } catch (error) {
        isLost = error instanceof NotCommitted || error instanceof OutcomeUnknown
        if (!(mayRunAgain(error) && attempt < MAX_TRIES)) throw error
      } finally {
        client.release(isLost)
      }
    }
  }
}

async function runOnce<Result>(
  client: PoolClient,
  begin: string,
  steps: Transaction<Result>,
): Promise<Result> {
  let isCommitting = false
  try {
    await client.query(begin)
    let step = steps.next()
    while (!step.done) {
      const { parameters, sql } = step.value
      step = steps.next((await client.query(sql, [...parameters])).rows)
    }
    isCommitting = true
    if (!isCommitted(await client.query('COMMIT')))
      throw new NotCommitted('PostgreSQL rolled back a transaction')
    return step.value
  } catch (error) {
    if (isAnswer(error) && !isCommitting) await client.query('ROLLBACK').catch(() => undefined)
    if (isRefusal(error)) throw new NotCommitted('PostgreSQL refused a transaction', { cause: error })
    if (isAnswer(error) || error instanceof NotCommitted) throw error
    const Lost = isCommitting ? OutcomeUnknown : NotCommitted
    throw new Lost('The connection to PostgreSQL was lost', { cause: error })
  }
}
