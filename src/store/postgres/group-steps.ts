/** The statements of a group commit on one PostgreSQL server: one for each table, over all accounts of the group. */
import type { Entry } from '../../ledger/types.ts'
import type { Step } from './exchange.ts'
import type { GroupSteps } from './ledger.ts'
import * as statements from './statements.ts'
import { arrayOf, stepsOf } from './statements.ts'

/** The entries as the statements of the reads ask for them. */
export interface Asked {
  /** Whether the group must be durable when its COMMIT returns. */
  readonly isDurable: boolean
  readonly accountIds: string
  readonly keyIds: string
  /** Account ids and idempotency keys, in the same order; null: no entry has one. */
  readonly idempotency: readonly [string, string] | null
  readonly auditIds: string
}

export function askedOf(entries: readonly Entry[]): Asked {
  const calls = entries.flatMap((entry) => (entry.step === 'refusal' ? [] : [entry.call]))
  const keyed = calls.flatMap(({ accountId, idempotency }) =>
    idempotency === null ? [] : [{ accountId, key: idempotency.key }],
  )
  return {
    isDurable: entries.some(({ step }) => step === 'settle' || step === 'admitAndSettle'),
    accountIds: distinct(entries.map(({ call }) => call.accountId)),
    keyIds: distinct(entries.map(({ call }) => call.keyId)),
    idempotency:
      keyed.length === 0
        ? null
        : [arrayOf(keyed.map(({ accountId }) => accountId)), arrayOf(keyed.map(({ key }) => key))],
    auditIds: distinct(calls.map(({ id }) => id)),
  }
}

const distinct = (ids: readonly (string | number)[]): string => arrayOf([...new Set(ids)])

/** More than the age of an earlier attempt at a group and the difference of the clocks of a node and of the database. */
const ATTEMPTS_MS = 2 * 24 * 3_600_000

export const ofOneServer: GroupSteps = {
  reading(entries, again) {
    const { accountIds, auditIds, idempotency, isDurable, keyIds } = askedOf(entries)
    const steps: Step[] = [{ statement: statements.begin, values: [] }]
    const add = (statement: Step['statement'], ...values: string[]) => steps.push({ statement, values })
    if (!isDurable) add(statements.unforced)
    add(statements.lockAccounts, accountIds)
    add(statements.readKeys, keyIds)
    if (idempotency !== null) add(statements.readBindings, ...idempotency)
    if (again) add(statements.readWritten(Date.now() - ATTEMPTS_MS), auditIds)
    return steps
  },
  keys(results) {
    const keys = results.rows(statements.readKeys)
    const { epoch, now } = keys[0]!
    return { now, epoch, keys: new Map(keys.flatMap((row) => (row.id === null ? [] : [[row.id, row]]))) }
  },
  written: (results) => results.rows(statements.readWritten(0)),
  writing: ({ accounts, audit, bindings, refusals }) => [
    ...stepsOf(statements.writeAccounts, accounts),
    ...stepsOf(statements.writeAudit, audit),
    ...stepsOf(statements.writeBindings, bindings),
    ...stepsOf(statements.writeRefusals, refusals),
  ],
}
