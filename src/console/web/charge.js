/** Whether a cancelled call was charged: looked up in the account, because its reply was not read. */
import { isGuest, send } from './session.js'

/** A computation takes at most 30 seconds. */
const TRIES = 35
const pause = () => new Promise((resolve) => setTimeout(resolve, 1_000))

/**
 * Calls `tell` with `{ state: 'none' | 'looking' | 'charged' | 'unknown' }`. A call whose body did not arrive as a whole is not
 * computed. A registered account has a history by request; a guest's balance is compared with that before the call.
 */
export async function chargeOf({ ids, isSent, creditsBefore }, tell) {
  if (!isSent) return tell({ state: 'none' })
  tell({ state: 'looking' })
  let isCharged
  for (let tried = 0; tried < TRIES; tried++) {
    isCharged = isGuest() ? await isBalanceLower(creditsBefore) : await isInHistory(ids['X-Request-Id'])
    if (typeof isCharged === 'boolean') return tell({ state: isCharged ? 'charged' : 'none' })
    await pause()
  }
  tell({ state: isCharged === undefined ? 'unknown' : 'none' })
}

/** Null: there is no record yet; undefined: the service cannot be asked. */
async function isInHistory(requestId) {
  const reply = await send(`/user/usage?request_id=${requestId}`)
  if (!reply.success) return undefined
  const [item] = reply.data.items
  return item === undefined ? null : item.credits > 0
}

async function isBalanceLower(before) {
  const reply = await send('/user/credits')
  if (!reply.success) return undefined
  return reply.data.credits < before ? true : null
}
