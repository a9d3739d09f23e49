/** The usage of a day, page by page, with the rows of `quantd admin export-usage`. */
import { whole } from '../../accounts/field-schemas.ts'
import { cursorRefused, dayUnknown } from '../../base/errors/requests.ts'
import { DAY_MS, dayStart } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { cursorOf } from '../../ledger/store/page-cursors.ts'
import { checkUsageDay, USAGE_COLUMNS, usageDayPage, usageJson, usageTotals } from '../usage-days.ts'
import { operatorEndpoint } from './endpoint.ts'
import { cursorAfter, nextCursor, page, placeAfter } from './field-schemas.ts'

const PLACE = { at: 'number', id: 'string' } as const

const EXAMPLE = {
  at: '2026-01-31T12:05:00.000Z',
  kind: 'call',
  id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
  account_id: 17,
  key_id: 21,
  team_key_id: null,
  path: '/quantlib/pricing/bs/price',
  status: 200,
  calls: 1,
  credits: 1,
  replayed: false,
  duration_ms: 2,
  parts: null,
}

const exportUsage = operatorEndpoint({
  verb: 'export-usage',
  role: 'viewer',
  path: '/operator/v1/usage',
  title: 'Usage of a day',
  summary:
    'Lists the calls of a day, and the refunds made on it, in order of time. A day can be read from an hour after its end. The same day gives the same rows, also after accounts were deleted. The first page has the sums of all rows.',
  query: Type.Object({
    ...page,
    day: Type.String({ description: 'day, UTC, YYYY-MM-DD', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
  }),
  output: Type.Object({
    items: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: `rows with the columns ${USAGE_COLUMNS.map(({ name }) => name).join(', ')}`,
    }),
    totals: Type.Optional(
      Type.Object({
        rows: whole('rows'),
        calls: whole('computations'),
        credits: Type.Number({ description: 'charges less refunds' }),
        refunds: whole('refunds'),
      }),
    ),
    next_cursor: nextCursor,
  }),
  failures: ['conflict'],
  example: {
    output: { items: [EXAMPLE], totals: { rows: 1, calls: 1, credits: 1, refunds: 0 }, next_cursor: null },
  },
  async handle({ auditRetentionDays, store }, { query }) {
    const { cursor, limit = 50 } = query
    const day = dayStart(query.day)
    if (day === null) throw dayUnknown()
    await checkUsageDay(store, day, auditRetentionDays)
    const after = placeAfter(cursor, PLACE)
    if (after !== null && (after.at < day || after.at >= day + DAY_MS)) throw cursorRefused()
    const rows = await store.run(usageDayPage, { day, after, limit })
    return {
      items: rows.map(usageJson),
      ...(after === null && { totals: await store.run(usageTotals, day) }),
      next_cursor: cursorAfter(rows, limit, (last) => cursorOf(PLACE, last)),
    }
  },
})

export const usageEndpoints = [exportUsage]
