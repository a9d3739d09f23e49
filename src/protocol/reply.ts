/** Step 6: the reply as a value, which HTTP prints and MCP turns into the result of a tool. */

import { databaseAway, internal } from '../base/errors/requests.ts'
import { Failure } from '../base/failure.ts'
import type { Body, Encoding, JoinedResult } from '../compute/result.ts'
import { Refused } from '../ledger/metering/refused.ts'
import type { Standing } from '../ledger/rules/types.ts'
import { NotCommitted, OutcomeUnknown } from '../ledger/store/store.ts'
import type { OnInternalError } from './incoming.ts'

/** A call that may be answered: its outcome, the charge for it, and the account's standing afterwards. */
export interface Settled {
  readonly accountId: number
  readonly outcome: JoinedResult | Failure
  readonly charged: number
  readonly replayed: boolean
  readonly standing: Standing
}

export interface Reply {
  readonly outcome: { readonly body: Body; readonly encoding: Encoding | 'csv' } | Failure
  readonly requestId: string
  /** Account of the key that was sent; null: there was no key, or it is unknown. */
  readonly accountId: number | null
  /** The account's standing after the request; null if it is not known. */
  readonly standing: Standing | null
  /** The charge for a computation; null: the request is none, or did not reach the ledger. */
  readonly charge: Charge | null
  /** A sentence beside the data of a success. */
  readonly message: string | null
  /** The request that undoes what was done, beside the data; absent: there is none. */
  readonly undo?: object | null
  /** Names and values alternating: headers that a handler adds. */
  readonly headers: readonly string[]
}

export type Charge = Pick<Settled, 'charged' | 'replayed'>

const PLAIN = { accountId: null, standing: null, charge: null, message: null, headers: [] }

/** The reply to a call that was settled. */
export const settledReply = (
  { accountId, outcome, standing }: Settled,
  requestId: string,
  charge: Charge | null,
): Reply => ({ outcome, requestId, accountId, standing, charge, message: null, headers: [] })

/** @param body JSON */
export const success = (body: JoinedResult['body'], requestId: string): Reply => ({
  ...PLAIN,
  outcome: { body, encoding: 'json' },
  requestId,
})

/** A page of an operator's report as CSV. @param next cursor of the next page; null: there is none */
export const csvReply = (body: string, next: string | null, requestId: string): Reply => ({
  ...PLAIN,
  outcome: { body, encoding: 'csv' },
  requestId,
  headers: next === null ? [] : ['x-next-cursor', next],
})

export const failedReply = (failure: Failure, requestId: string): Reply => ({
  ...PLAIN,
  outcome: failure,
  requestId,
})

/** The reply to a request that was not settled. */
export function unsettledReply(error: unknown, onInternalError: OnInternalError, requestId: string): Reply {
  if (!(error instanceof Refused)) return failedReply(failureOf(error, onInternalError, requestId), requestId)
  const { accountId, failure, standing } = error
  return { ...PLAIN, outcome: failure, requestId, accountId, standing }
}

/** Any error as a failure; one that stands for a bug is reported. */
export function failureOf(error: unknown, onInternalError: OnInternalError, requestId: string): Failure {
  if (error instanceof NotCommitted || error instanceof OutcomeUnknown) return databaseAway(error)
  const failure = error instanceof Failure ? error : internal(error)
  if (failure.isBug) onInternalError(failure.cause ?? failure, requestId)
  return failure
}
