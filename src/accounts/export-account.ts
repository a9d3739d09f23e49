/** All that is kept about the caller, in pages. */
import { cursorRefused } from '../base/errors/requests.ts'
import { EXPORT_PAGE } from '../base/limits/callers.ts'
import { parsedJson } from '../base/text.ts'
import { Type } from '../base/type.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { listOf, nextCursor } from './field-schemas.ts'
import { type KeptPlace, KIND_NAMES, keptPage } from './kept-records.ts'

export const exportAccount = accountEndpoint({
  path: '/user/export',
  area: 'Accounts',
  title: 'Export the account',
  summary: `Returns all that is kept about the account and the guests it took over, kind by kind, at most ${EXPORT_PAGE.records} records a page. A page may hold fewer, or none, and still have a \`next_cursor\`. Keys are without their secrets; texts of mails are not kept. There are no sessions: a client is logged in by its key.`,
  key: 'registered',
  query: Type.Object({
    cursor: Type.Optional(
      Type.String({ description: '`next_cursor` of the previous page', pattern: '^[A-Za-z0-9_-]{1,1000}$' }),
    ),
  }),
  output: Type.Object({
    records: listOf(
      Type.Object({
        kind: Type.Enum([...KIND_NAMES], { description: 'the kind of the record' }),
        values: Type.Object(
          {},
          { additionalProperties: true, description: 'the columns of the record; times in ISO 8601, UTC' },
        ),
      }),
      'records of each kind, the oldest first',
    ),
    next_cursor: nextCursor,
  }),
  failures: ['invalid_input'],
  example: {
    output: {
      records: [
        { kind: 'account', values: { id: 17, email: 'ada@example.org', username: 'ada', balance: 349 } },
        { kind: 'api_key', values: { id: 21, status: 'active', created_at: '2026-01-01T12:00:00.000Z' } },
      ],
      next_cursor: null,
    },
  },
  async handle({ store }, { caller, query }) {
    const place = query.cursor === undefined ? { step: 0, after: null } : placeIn(query.cursor)
    const page = place && (await store.run(keptPage, caller.accountId, place))
    if (page === null) throw cursorRefused()
    const { next, records } = page
    return { records, next_cursor: next === null ? null : cursorOf(next) }
  },
})

const cursorOf = ({ after, step }: KeptPlace): string =>
  Buffer.from(JSON.stringify([step, after])).toString('base64url')

/** A place that the caller may have forged; null: the text is no cursor. */
function placeIn(cursor: string): KeptPlace | null {
  const found = parsedJson(Buffer.from(cursor, 'base64url').toString())
  return Array.isArray(found) ? { step: found[0], after: found[1] } : null
}
