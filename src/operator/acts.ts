/** The newest acts of operators in the audit, which the service copies to its log. */
import { ACT_METHODS, type AuditLine } from '../store/audit-pages.ts'
import { rows, type Sql, type Transaction } from '../store/sql.ts'

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
