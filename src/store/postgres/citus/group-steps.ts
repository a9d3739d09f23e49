/** The statements of a group commit on Citus: all within one bucket. */
import { bucketOf } from '../../../buckets.ts'
import type { Entry } from '../../../ledger/types.ts'
import type { Step } from '../exchange.ts'
import { askedOf } from '../group-steps.ts'
import type { GroupSteps } from '../ledger.ts'
import * as plain from '../statements.ts'
import * as statements from './statements.ts'
import { stepsOf } from './statements.ts'

export const bucketOfGroup = (entries: readonly Entry[]): number => bucketOf(entries[0]!.call.accountId)

/** @param bucket that of every entry's account */
export const inBucket = (bucket: number): GroupSteps => ({
  reading(entries, again) {
    const { accountIds, auditIds, idempotency, isDurable, keyIds } = askedOf(entries)
    const steps: Step[] = [{ statement: plain.begin, values: [] }]
    if (!isDurable) steps.push({ statement: plain.unforced, values: [] })
    const add = (statement: Step['statement'], ...values: string[]) =>
      steps.push({ statement, values: [String(bucket), ...values] })
    add(statements.lockAccounts, accountIds)
    steps.push({ statement: statements.readClock, values: [] })
    add(statements.readKeys, keyIds)
    if (idempotency !== null) add(statements.readBindings, ...idempotency)
    if (again) add(statements.readWritten, auditIds)
    return steps
  },
  keys(results) {
    const [clock] = results.rows(statements.readClock)
    return { ...clock!, keys: new Map(results.rows(statements.readKeys).map((row) => [row.id, row])) }
  },
  written: (results) => results.rows(statements.readWritten),
  writing: ({ accounts, audit, bindings, refusals }) => [
    ...stepsOf(statements.writes.writeAccount, bucket, accounts),
    ...stepsOf(statements.writes.writeAudit, bucket, audit),
    ...stepsOf(statements.writes.writeBinding, bucket, bindings),
    ...stepsOf(statements.writes.writeRefusal, bucket, refusals),
  ],
})
