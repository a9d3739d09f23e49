/** The credits that a call may cost, shown before it is sent; and whether a cancelled call was charged, whose reply was not read. */
import type { UserReceiptData, UserUsageData } from '../../../clients/typescript/types.ts'
import type { Form } from '../../derive/forms.ts'
import type { SentTable } from './data/shapes.ts'
import forms from './forms.js'
import { plural, whole } from './numbers.ts'
import { creditsFor } from './offers.ts'
import type { Values } from './operation.ts'
import { isGuest, send } from './session.ts'

export interface Cost {
  readonly most: number
  /** The name of the parts that are charged one by one; null: there are none. */
  readonly each: string | null
  /** Whether it is charged for each started second of computing. */
  readonly isPerSecond?: boolean
}

/** Null: the cost does not follow from the input. An operation of scalars, which has columns, takes less than a second. */
export function costOf(form: Form, shown: SentTable | null, sent: Values = {}): Cost | null {
  const base = creditsFor(form.path.replace(/\/columns$/, ''))
  if (form.path.endsWith('/columns')) return shown === null ? null : { most: base * shown.rows, each: 'row' }
  if (!form.path.endsWith('/batch'))
    return { most: base, each: null, isPerSecond: !forms.some(({ path }) => path === `${form.path}/columns`) }
  if (!Array.isArray(sent.calls)) return null
  return { most: sent.calls.reduce((sum: number, call) => sum + creditsFor(call?.path), 0), each: 'call' }
}

/** `credits`: the balance, or null if it is not known. */
export function costText({ most, each, isPerSecond }: Cost, credits: number | null): string {
  const cost =
    each === null
      ? `${plural(most, 'credit')}${isPerSecond ? ' for each started second of computing' : ''}`
      : `up to ${plural(most, 'credit')}; failed ${each}s are free`
  if (credits === null) return `Costs ${cost}.`
  if (most <= credits) return `Costs ${cost}. ${whole(credits)} left.`
  return `Costs ${cost}. Only ${whole(credits)} left.`
}

/** One try a second, for longer than the 30 seconds that a computation may take. */
const TRIES = 35
const pause = () => new Promise((resolve) => setTimeout(resolve, 1_000))

export interface Charge {
  readonly state: 'none' | 'looking' | 'charged' | 'unknown'
}

/** A call, and whether its whole body was sent. */
interface SentCall {
  readonly ids: { readonly 'X-Request-Id': string }
  readonly isSent: boolean
}

/**
 * Calls `tell` with the state of the charge. A call whose body was not sent completely is not
 * computed. The call is searched in the history of a registered account, and in the receipts of a guest, who has no history.
 */
export async function chargeOf({ ids, isSent }: SentCall, tell: (charge: Charge) => void): Promise<void> {
  if (!isSent) return tell({ state: 'none' })
  tell({ state: 'looking' })
  let isCharged: Found
  for (let tried = 0; tried < TRIES; tried++) {
    isCharged = await (isGuest() ? isInReceipt : isInHistory)(ids['X-Request-Id'])
    if (typeof isCharged === 'boolean') return tell({ state: isCharged ? 'charged' : 'none' })
    if (isCharged === 'unproven') break
    await pause()
  }
  tell({ state: isCharged === null ? 'none' : 'unknown' })
}

type Found = boolean | 'unproven' | null | undefined

/** Whether the history has the charge. Null: there is no row yet; undefined: the service did not answer. */
async function isInHistory(requestId: string): Promise<Found> {
  const reply = await send<UserUsageData>(`/user/usage?request_id=${requestId}`)
  if (!reply.success) return undefined
  const [item] = reply.data.items
  return item === undefined ? null : item.credits > 0
}

/** The same of the receipt, which is signed within a second. `unproven`: there is a row, but it can have no receipt. */
async function isInReceipt(requestId: string): Promise<Found> {
  const reply = await send<UserReceiptData>(`/user/receipt?request_id=${requestId}`)
  if (reply.success) return reply.data.leaf.credits > 0
  const codes: Readonly<Record<string, Found>> = { not_found: null, conflict: 'unproven' }
  return codes[reply.error.code]
}
