/** Looks up in the account whether a cancelled call was charged, because its reply was not read. */
// @ts-nocheck: to be converted
import { isGuest, send } from './session.ts'

/** One try a second, for longer than the 30 seconds that a computation may take. */
const TRIES = 35
const pause = () => new Promise((resolve) => setTimeout(resolve, 1_000))

/**
 * Calls `tell` with `{ state: 'none' | 'looking' | 'charged' | 'unknown' }`. A call whose body was not sent completely is not
 * computed. The call is searched in the history of a registered account, and in the receipts of a guest, who has no history.
 */
export async function chargeOf({ ids, isSent }, tell) {
  if (!isSent) return tell({ state: 'none' })
  tell({ state: 'looking' })
  let isCharged: boolean | 'unproven' | null | undefined
  for (let tried = 0; tried < TRIES; tried++) {
    isCharged = await (isGuest() ? isInReceipt : isInHistory)(ids['X-Request-Id'])
    if (typeof isCharged === 'boolean') return tell({ state: isCharged ? 'charged' : 'none' })
    if (isCharged === 'unproven') break
    await pause()
  }
  tell({ state: isCharged === null ? 'none' : 'unknown' })
}

/** Whether the history has the charge. Null: there is no row yet; undefined: the service did not answer. */
async function isInHistory(requestId) {
  const reply = await send(`/user/usage?request_id=${requestId}`)
  if (!reply.success) return undefined
  const [item] = reply.data.items
  return item === undefined ? null : item.credits > 0
}

/** The same of the receipt, which is signed within a second. `unproven`: there is a row, but it can have no receipt. */
async function isInReceipt(requestId) {
  const reply = await send(`/user/receipt?request_id=${requestId}`)
  if (reply.success) return reply.data.leaf.credits > 0
  return { not_found: null, conflict: 'unproven' }[reply.error?.code]
}
