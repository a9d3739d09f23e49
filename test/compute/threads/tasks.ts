/** Tasks for a pool of threads. */
import type { Tier } from '../../../src/ledger/rules/tiers.ts'

export const FOREST = '/quantlib/ml/clustering/isolation-forest'

export const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

/** The body of a forest that takes next to no time. */
export const small = () => bytesOf({ X: [[1], [2], [9]] })

export const task = (path: string, bytes: Uint8Array, accountId = 1, tier: Tier = 'free') => ({
  path,
  bytes,
  caller: { accountId, tier },
  cost: null,
})

/** The text of a result. */
export const text = (result: object) => Buffer.from((result as { body: Uint8Array }).body).toString()
