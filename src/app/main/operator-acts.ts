/** Copies the acts of operators from the audit to the log, because the command line, a process of its own, has no such log. */

import { OPERATOR_ACTS_MS } from '../../base/limits/operation.ts'
import { ACT_METHODS, type AuditLine } from '../../ledger/store/audit-pages.ts'
import { rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import type { Runner } from '../../ledger/store/store.ts'
import type { Logger } from '../log.ts'

/** Returns a function that logs the acts since its last call, each once; its first call logs the acts since it was made. */
export function operatorActsReader(store: Runner, log: Pick<Logger, 'info' | 'warn'>): () => Promise<void> {
  const startedAt = performance.now()
  let seen: ReadonlySet<string> = new Set()
  return async () => {
    try {
      const acts = await store.run(
        operatorActs,
        Math.min(OPERATOR_ACTS_MS, Math.ceil(performance.now() - startedAt)),
      )
      for (const { id, ...act } of acts) if (!seen.has(id)) log.info(act, 'operator act')
      seen = new Set(acts.map(({ id }) => id))
    } catch (error) {
      log.warn({ err: error }, 'the acts of operators were not read; the next attempt is in a minute')
    }
  }
}

/** An act of an operator; `detail` is JSON and names the operator. */
type OperatorAct = Pick<AuditLine, 'at' | 'accountId' | 'requestId'> & {
  readonly id: string
  readonly act: string
  readonly detail: string | null
}

/** The acts of operators within the last `windowMs` by the database's clock, the oldest first. */
export function* operatorActs(sql: Sql, windowMs: number): Transaction<OperatorAct[]> {
  const now = yield* sql.clock()
  const acts = yield* rows(
    sql.db
      .selectFrom('audit')
      .select(['id', 'at', 'account_id as accountId', 'code as act', 'request_id as requestId', 'detail'])
      .where('method', 'in', ACT_METHODS)
      .where('at', '>=', now - windowMs)
      .orderBy('at'),
  )
  return acts.map((one) => ({ ...one, act: one.act ?? '' }))
}
