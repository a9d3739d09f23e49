/** Stores the inputs of the calls of this tab, which the service does not store, as addresses, until the key is forgotten. */
import { addressOf } from './link.ts'
import { tabStorage } from './tab-storage.ts'

export const STORED_CALLS = 'quantd-calls'
const MOST = 100
const LONGEST = 4_000

/** Ids of requests with the addresses of their inputs. */
const all = (): [string, string][] => JSON.parse(tabStorage.getItem(STORED_CALLS) ?? '[]')

/** `body`: JSON; a long one is not stored. */
export function keepCall(requestId: string, path: string, body: string): void {
  if (body.length > LONGEST) return
  const address = addressOf(path, JSON.parse(body))
  const others = all().filter(([id]) => id !== requestId)
  tabStorage.setItem(STORED_CALLS, JSON.stringify([...others, [requestId, address]].slice(-MOST)))
}

/** The addresses by request id. */
export const callsMade = () => new Map(all())
