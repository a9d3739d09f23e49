/** What an account computed: the history page by page, and its totals. */
import { Failure } from '../errors.ts'
import type { AccountContext } from './context.ts'
import { userUsage, userUsageSummary } from './endpoints/standing.ts'
import { handler } from './handler.ts'

const DAY_MS = 86_400_000

export const usageHandlers = ({ store }: AccountContext) => [
  handler(userUsage, null, async ({ caller, query }) => {
    const { cursor, limit = 50 } = query
    const before = cursor === undefined ? null : readCursor(cursor)
    // One more than asked for tells whether there is a next page.
    const found = await store.usage({ accountId: caller!.accountId, limit: limit + 1, before })
    const items = found.slice(0, limit)
    return {
      items: items.map((item) => ({
        at: new Date(item.at).toISOString(),
        path: item.path,
        status: item.status,
        credits: item.credits,
        ip: item.ip,
        duration_ms: item.durationMs,
        request_id: item.requestId,
      })),
      next_cursor: found.length > limit ? writeCursor(items.at(-1)!) : null,
    }
  }),
  handler(userUsageSummary, null, async ({ caller }) => {
    const sums = await store.usageSums(caller!.accountId)
    const byEndpoint = totals(sums.map((sum) => ({ ...sum, name: sum.path })))
    const byDay = totals(sums.map((sum) => ({ ...sum, name: dayName(sum.day) })))
    return {
      by_endpoint: byEndpoint.map(({ name, ...counts }) => ({ path: name, ...counts })),
      by_day: byDay.map(({ name, ...counts }) => ({ day: name, ...counts })),
    }
  }),
]

interface Count {
  readonly name: string
  readonly calls: number
  readonly credits: number
}

function totals(counts: readonly Count[]): Count[] {
  const byName = new Map<string, Count>()
  for (const { calls, credits, name } of counts) {
    const before = byName.get(name) ?? { calls: 0, credits: 0 }
    byName.set(name, { name, calls: before.calls + calls, credits: before.credits + credits })
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const dayName = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Where a page ended: callers need not know how it is written. */
const writeCursor = ({ at, id }: { at: number; id: string }): string =>
  Buffer.from(`${at} ${id}`).toString('base64url')

function readCursor(cursor: string): { at: number; id: string } {
  const found = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  const message = 'is not a next_cursor of a page before'
  if (found === null)
    throw new Failure('invalid_input', `cursor ${message}.`, { details: [{ path: '/cursor', message }] })
  return { at: Number(found[1]), id: found[2]! }
}
