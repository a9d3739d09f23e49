/** Counts the replies of a run by kind and status, and keeps the violations with the bytes that caused them. */
import type { Endpoint } from './document.ts'
import type { Reply } from './wire.ts'

export interface Violation {
  readonly number: number
  readonly fault: string
  readonly sent: Buffer
  readonly reply: Reply | null
}

export interface Tally {
  /** @param status null: the connection ended without a reply */
  reply(kind: string, endpoint: Endpoint | null, status: number | null, ms: number): void
  violation(violation: Violation): void
  readonly requests: number
  readonly violations: readonly Violation[]
  /** Kind → status (0: none) → count. */
  readonly kinds: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Path → status (0: none) → count, for documented endpoints. */
  readonly endpoints: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly slowestMs: number
}

export function openTally(): Tally {
  const kinds = new Map<string, Map<number, number>>()
  const endpoints = new Map<string, Map<number, number>>()
  const violations: Violation[] = []
  let requests = 0
  let slowestMs = 0
  return {
    reply(kind, endpoint, status, ms) {
      requests += 1
      slowestMs = Math.max(slowestMs, ms)
      count(kinds, kind, status ?? 0)
      if (endpoint !== null) count(endpoints, endpoint.path, status ?? 0)
    },
    violation: (violation) => violations.push(violation),
    get requests() {
      return requests
    },
    get slowestMs() {
      return slowestMs
    },
    violations,
    kinds,
    endpoints,
  }
}

function count(counts: Map<string, Map<number, number>>, name: string, status: number): void {
  const statuses = counts.get(name) ?? new Map<number, number>()
  counts.set(name, statuses.set(status, (statuses.get(status) ?? 0) + 1))
}
