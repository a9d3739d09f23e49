/** Whether a cancelled call was charged: looked up in the account, because its reply was not read. */
import { isGuest, send } from './session.js'

/** A computation takes at most 30 seconds. */
const TRIES = 35
const pause = () => new Promise((resolve) => setTimeout(resolve, 1_000))

/**
 * Calls `tell` with `{ state: 'none' | 'looking' | 'charged' }`. A call whose body did not arrive as a whole is not
 * computed. A registered account has a history by request; a guest's balance is compared with that before the call.
 */
export async function chargeOf({ ids, isSent, creditsBefore }, tell) {
  if (!isSent) return tell({ state: 'none' })
  tell({ state: 'looking' })
  for (let tried = 0; tried < TRIES; tried++) {
    const isCharged = isGuest() ? await isBalanceLower(creditsBefore) : await isInHistory(ids['X-Request-Id'])
    if (isCharged !== null) return tell({ state: isCharged ? 'charged' : 'none' })
    await pause()
  }
  tell({ state: 'none' })
}

/** null: not known yet. */
async function isInHistory(requestId) {
  const reply = await send(`/user/usage?request_id=${requestId}`)
  const item = reply.data?.items[0]
  return item === undefined ? null : item.credits > 0
}

async function isBalanceLower(before) {
  const reply = await send('/user/credits')
  return reply.success && reply.data.credits < before ? true : null
}
