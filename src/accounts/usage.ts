/** The computations of an account: newest first, filtered, page by page; and their totals by endpoint and by day. */
import type { Static, TObject } from 'typebox'
import { cursorRefused, dayUnknown, timeUnknown } from '../base/errors/requests.ts'
import { MAX_PATH_CHARACTERS, USAGE_ITEMS } from '../base/limits/callers.ts'
import { DAY_MS, dayName, dayStart, isoTime } from '../base/time.ts'
import { Type } from '../base/type.ts'
import type { Runner } from '../ledger/store/store.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { amount, instant, listOf, nextCursor, rowNumber, text, whole } from './field-schemas.ts'
import { type History, lagHeader } from './history.ts'
import { teamKeys } from './team-keys/lineages.ts'
import type { UsageSum } from './usage-sums.ts'

const time = (description: string) =>
  Type.String({
    description: `${description}: a day, which means its beginning, or a time with its zone (ISO 8601)`,
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2}))?$',
  })

/** Parameters of a page. */
export const usageQuery = {
  limit: Type.Optional(
    Type.Integer({
      description: 'items per page',
      minimum: 1,
      maximum: USAGE_ITEMS.most,
      default: USAGE_ITEMS.usual,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: '`next_cursor` of the previous page', minLength: 1, maxLength: 200 }),
  ),
  path: Type.Optional(
    Type.String({
      description: 'only calls of this path, for example /quantlib/pricing/bs/price',
      minLength: 1,
      maxLength: MAX_PATH_CHARACTERS,
    }),
  ),
  status: Type.Optional(
    Type.String({
      description: 'only calls with this outcome: success, failure, or an HTTP status such as 422',
      pattern: '^(success|failure|[1-5][0-9]{2})$',
    }),
  ),
  day: Type.Optional(
    Type.String({
      description: 'only calls of this day, UTC, YYYY-MM-DD',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    }),
  ),
  from: Type.Optional(time('only calls at this time or later')),
  to: Type.Optional(time('only calls before this time')),
  key: Type.Optional(rowNumber('only calls of the team key with this id')),
  request_id: Type.Optional(
    Type.String({ description: 'only calls with this X-Request-Id', minLength: 1, maxLength: 200 }),
  ),
}

export const usageOutput = Type.Object({
  items: listOf(
    Type.Object({
      at: instant('when'),
      path: text('path of the endpoint'),
      status: whole('HTTP status of the reply'),
      credits: amount('credits charged'),
      ip: text('IP address of the client'),
      duration_ms: amount('duration in milliseconds'),
      request_id: text('X-Request-Id of the reply'),
      key_id: Type.Optional(whole('of a team key: its id')),
      key_name: Type.Optional(text('of a team key: its name')),
    }),
    'computations, newest first',
  ),
  next_cursor: nextCursor,
})

export const usage = accountEndpoint({
  path: '/user/usage',
  area: 'Credits and usage',
  title: 'Usage history',
  summary:
    'Lists all admitted computations, newest first, including failures and replays, which cost 0 credits. A team key sees its own calls only. Filters are combined; with `path`, `status` or `key` a page may hold fewer items than `limit`, or none, and still have a `next_cursor`. Registered accounts only.',
  key: 'registered',
  teamKeys: true,
  query: Type.Object(usageQuery),
  output: usageOutput,
  mayLag: true,
  failures: ['invalid_input'],
  example: {
    output: {
      items: [
        {
          at: '2026-01-01T12:05:00.000Z',
          path: '/quantlib/pricing/bs/price',
          status: 200,
          credits: 1,
          ip: '192.0.2.10',
          duration_ms: 2,
          request_id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
        },
      ],
      next_cursor: null,
    },
  },
  async handle({ history }, { caller, headers, query }) {
    const { lagMs, page } = await pageOfUsage(history, caller.accountId, query, caller.team?.id)
    headers.push(...lagHeader(lagMs))
    return page
  },
})

/** @param own the lineage of a calling team key, which sees its own calls only */
export async function pageOfUsage(
  history: Pick<History, 'usage'>,
  accountId: number,
  query: Query,
  own?: number,
) {
  const { cursor, limit = USAGE_ITEMS.usual } = query
  const before = cursor === undefined ? null : readCursor(cursor)
  const { lagMs, result } = await history.usage({
    accountId,
    limit,
    before,
    filter: filterOf(query, own),
  })
  const { items, next } = result
  return {
    lagMs,
    page: {
      items: items.map((item) => ({
        at: isoTime(item.at),
        path: item.path,
        status: item.status,
        credits: item.credits,
        ip: item.ip,
        duration_ms: item.durationMs,
        request_id: item.requestId,
        ...(item.teamKey !== null && { key_id: item.teamKey.id, key_name: item.teamKey.name }),
      })),
      next_cursor: next === null ? null : writeCursor(next),
    },
  }
}

function filterOf({ key, path, request_id: requestId, status, ...span }: Filters, own: number | undefined) {
  const range = rangeOf(span)
  const teamKeyId = own ?? key
  return {
    ...(teamKeyId !== undefined && { teamKeyId }),
    ...(path !== undefined && { path }),
    ...(status !== undefined && { status: statuses[status] ?? Number(status) }),
    ...(range !== null && { range }),
    ...(requestId !== undefined && { requestId }),
  }
}

type Query = Static<TObject<typeof usageQuery>>
type Filters = Omit<Query, 'cursor' | 'limit'>

const statuses: Readonly<Record<string, number | 'failure'>> = { success: 200, failure: 'failure' }

/** The time that all calls of a page lie in; null: any. Throws Failure `invalid_input` for what the calendar does not have. */
function rangeOf({ day, from, to }: Pick<Filters, 'day' | 'from' | 'to'>) {
  if (day === undefined && from === undefined && to === undefined) return null
  const start = day === undefined ? 0 : dayStart(day)
  if (start === null) throw dayUnknown()
  return {
    from: Math.max(start, timeOf('from', from) ?? 0),
    to: Math.min(
      day === undefined ? Number.MAX_SAFE_INTEGER : start + DAY_MS,
      timeOf('to', to) ?? Number.MAX_SAFE_INTEGER,
    ),
  }
}

function timeOf(name: 'from' | 'to', text: string | undefined): number | null {
  if (text === undefined) return null
  const at = Date.parse(text)
  // Date.parse takes the 30th of February for a day of March.
  if (Number.isNaN(at) || dayStart(text.slice(0, 'yyyy-mm-dd'.length)) === null) throw timeUnknown(name)
  return at
}

/** The position of the last item; opaque to callers. */
const writeCursor = ({ at, id }: { at: number; id: string }): string =>
  Buffer.from(`${at} ${id}`).toString('base64url')

function readCursor(cursor: string): { at: number; id: string } {
  const found = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (found === null) throw cursorRefused()
  return { at: Number(found[1]), id: found[2] }
}

const counted = { calls: whole('computations'), credits: amount('credits charged') }

export const summaryOutput = Type.Object({
  by_endpoint: listOf(Type.Object({ path: text('path of the endpoint'), ...counted }), 'totals by endpoint'),
  by_day: listOf(Type.Object({ day: text('day, UTC, YYYY-MM-DD'), ...counted }), 'totals by day'),
  by_key: Type.Optional(
    listOf(
      Type.Object({ key_id: whole('id of the team key'), key_name: text('its name'), ...counted }),
      'totals of the team keys that were used',
    ),
  ),
})

export const usageSummary = accountEndpoint({
  path: '/user/usage/summary',
  area: 'Credits and usage',
  title: 'Usage summary',
  summary:
    'Returns the number of computations and the credits charged, by endpoint and by day, over the same rows as the usage history. Open to guests.',
  key: 'any',
  teamKeys: true,
  query: Type.Object({
    key: Type.Optional(rowNumber('only calls of the team key with this id')),
  }),
  output: summaryOutput,
  mayLag: true,
  example: {
    output: {
      by_endpoint: [{ path: '/quantlib/pricing/bs/price', calls: 1, credits: 1 }],
      by_day: [{ day: '2026-01-01', calls: 1, credits: 1 }],
    },
  },
  async handle({ history, store }, { caller, headers, query }) {
    const { lagMs, result } = await history.usageSums(caller.accountId)
    const own = caller.team?.id ?? query.key
    const sums = own === undefined ? result : result.filter(({ teamKeyId }) => teamKeyId === own)
    headers.push(...lagHeader(lagMs))
    return await summaryOf(store.reads, caller.accountId, sums)
  },
})

export async function summaryOf(store: Runner, accountId: number, sums: readonly UsageSum[]) {
  const byEndpoint = totals(sums.map((sum) => ({ ...sum, name: sum.path })))
  const byDay = totals(sums.map((sum) => ({ ...sum, name: dayName(sum.day * DAY_MS) })))
  const byKey = await keyTotals(store, accountId, sums)
  return {
    by_endpoint: byEndpoint.map(({ name, ...counts }) => ({ path: name, ...counts })),
    by_day: byDay.map(({ name, ...counts }) => ({ day: name, ...counts })),
    ...(byKey.length > 0 && { by_key: byKey }),
  }
}

/** Totals by team key, with the names; empty where no team key was used. */
async function keyTotals(store: Runner, accountId: number, sums: readonly UsageSum[]) {
  const used = totals(
    sums.filter(({ teamKeyId }) => teamKeyId > 0).map((sum) => ({ ...sum, name: String(sum.teamKeyId) })),
  )
  if (used.length === 0) return []
  const names = new Map((await store.run(teamKeys, accountId)).map(({ id, name }) => [id, name]))
  return used.map(({ name, ...counts }) => ({
    key_id: Number(name),
    key_name: names.get(Number(name)) ?? '',
    ...counts,
  }))
}

interface Count {
  readonly name: string
  readonly calls: number
  readonly credits: number
}

/** Sums the counts of each name, in the order of the names. */
function totals(counts: readonly Count[]): Count[] {
  const byName = new Map<string, Count>()
  for (const { calls, credits, name } of counts) {
    const before = byName.get(name) ?? { calls: 0, credits: 0 }
    byName.set(name, { name, calls: before.calls + calls, credits: before.credits + credits })
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
