/**
 * The inputs of the calls made in this tab, by request id, as addresses: the service keeps none, and they are forgotten with
 * the key.
 */

import { addressOf } from './link.js'

export const STORED_CALLS = 'quantd-calls'
const MOST = 100
const LONGEST = 4_000

const all = () => JSON.parse(sessionStorage.getItem(STORED_CALLS) ?? '[]')

/** `body`: JSON; a long one is not kept. */
export function keepCall(requestId, path, body) {
  if (body.length > LONGEST) return
  const address = addressOf(path, JSON.parse(body))
  const others = all().filter(([id]) => id !== requestId)
  sessionStorage.setItem(STORED_CALLS, JSON.stringify([...others, [requestId, address]].slice(-MOST)))
}

/** Request id → address. */
export const callsMade = () => new Map(all())
