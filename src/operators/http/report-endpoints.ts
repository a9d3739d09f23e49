/** Reports: the cost of the calls of a month, and the calls of a day. */
import { nullable, text, whole } from '../../accounts/field-schemas.ts'
import { cursorRefused, dayUnknown } from '../../base/errors/requests.ts'
import { DAY_MS, dayStart } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { cursorOf } from '../../ledger/store/page-cursors.ts'
import { checkMonth, costHeading, costLine, costPage, costsOf, monthOf, totalsOf } from '../costs.ts'
import { readStatement, statementCsv, statementJson } from '../statements.ts'
import { checkUsageDay, USAGE_COLUMNS, usageDayPage, usageJson, usageTotals } from '../usage-days.ts'
import { found } from './account-endpoints.ts'
import { type OperatorContext, operatorEndpoint } from './endpoint.ts'
import {
  accountId,
  cursorAfter,
  format,
  idIn,
  nextCursor,
  orNull,
  page,
  placeAfter,
} from './field-schemas.ts'

const counts = {
  calls: whole('computations, including failed ones, which cost nothing'),
  credits: Type.Number({ description: 'credits charged' }),
  refunded: Type.Number({ description: 'credits given back in the month' }),
}
const month = Type.String({ description: 'month, UTC, YYYY-MM', pattern: '^[0-9]{4}-[0-9]{2}$' })
const usedBy = {
  key_id: nullable(Type.Integer(), "id of the team key; null: the account's own key"),
  key_name: orNull('its name'),
  path: orNull('the operation; null: refunds of calls whose rows are past their retention'),
  ...counts,
}
const OWNER_EXAMPLE = { account_id: 17, email: 'ada@example.org' }
const SUMS_EXAMPLE = { calls: 1_200, credits: 1_190, refunded: 0 }
const USE_EXAMPLE = { key_id: null, key_name: null, path: '/quantlib/pricing/bs/price', ...SUMS_EXAMPLE }

const costs = operatorEndpoint({
  verb: 'cost-report',
  role: 'viewer',
  path: '/operator/v1/reports/costs',
  title: 'Costs of a month',
  summary:
    'Returns the calls of a month (UTC) and their credits, by account, key and operation: for one account, or page by page for all registered accounts with calls. With `format=csv` the reply is a table, and the header `X-Next-Cursor` has the cursor of the next page.',
  query: Type.Object({
    month,
    account: Type.Optional(text('e-mail address or number of the account; absent: all')),
    format,
    ...page,
  }),
  output: Type.Object({
    month: text('the month'),
    items: Type.Array(
      Type.Object({
        account_id: accountId,
        email: orNull('e-mail address; null: the account was deleted'),
        ...usedBy,
      }),
    ),
    totals: Type.Object(counts, { description: 'sums of the items' }),
    next_cursor: nextCursor,
  }),
  failures: ['not_found', 'conflict'],
  example: {
    output: {
      month: '2026-01',
      items: [{ ...OWNER_EXAMPLE, ...USE_EXAMPLE }],
      next_cursor: null,
      totals: SUMS_EXAMPLE,
    },
  },
  csv: ({ items, month }) => [costHeading, ...items.map((item) => costLine(monthOf(month), item))].join(''),
  async handle(context, { query: { account, cursor, limit = 50, ...given } }) {
    const { auditRetentionDays, history, reads } = context
    const costReads = { run: reads.run, keepSums: history.keepSums }
    const month = monthOf(given.month)
    const after = idIn(cursor) ?? 0
    await checkMonth(reads, month, auditRetentionDays)
    const { items, next } =
      account === undefined
        ? await costPage(costReads, month, { after, limit })
        : {
            items: await costsOf(costReads, month, await idOf(context, account)),
            next: null,
          }
    return {
      month: month.name,
      items: [...items],
      totals: totalsOf(items),
      next_cursor: next === null ? null : String(next),
    }
  },
})

const money = (description: string) => orNull(`${description}, a decimal; null: credits had no price`)

const statement = operatorEndpoint({
  verb: 'statement',
  role: 'viewer',
  path: '/operator/v1/reports/statement',
  title: 'Statement',
  summary:
    "Returns the statement of an account for a month (UTC). It has the credits at the start, grants and other movements, the usage by key and operation with the amounts, and the credits left at the end. Opening credits + movements + refunds − credits of the usage = closing credits. An amount is (credits − refunded) · price; a price holds from the midnight after it was set. The amounts of the totals are rounded to the currency's smallest unit.",
  query: Type.Object({ account: text('e-mail address or number of the account'), month, format }),
  output: Type.Object({
    month: text('the month'),
    account_id: accountId,
    email: orNull('e-mail address; null: the account was deleted'),
    opening: Type.Integer({ description: 'credits less debt at the start of the month' }),
    closing: Type.Integer({ description: 'credits less debt at its end, or now' }),
    movements: Type.Array(
      Type.Object({
        at: text('when'),
        kind: text('grant, reversal, expired, transfer_in or transfer_out'),
        credits: Type.Integer({ description: 'credits added; negative: taken' }),
        reference: orNull("the operator's reference"),
        note: orNull('note'),
      }),
    ),
    usage: Type.Array(
      Type.Object({
        from: text('first day on which the price held'),
        until: text('last day on which it held'),
        ...usedBy,
        price: money('price of a credit'),
        currency: orNull('its currency'),
        amount: money('amount'),
      }),
    ),
    totals: Type.Object({
      ...counts,
      failed_requests: whole('requests that failed, which cost nothing'),
      amounts: Type.Array(Type.Object({ currency: text('currency'), amount: text('amount') })),
    }),
  }),
  failures: ['not_found', 'conflict'],
  command: {
    examples: [
      ['statement ada@example.org --month 2026-01 > ada-2026-01.csv', 'a table'],
      ['statement ada@example.org --month 2026-01 --json', 'for a program'],
    ],
    words: ['account'],
    text: (data) => statementCsv(data).trimEnd(),
  },
  example: {
    output: {
      month: '2026-01',
      ...OWNER_EXAMPLE,
      opening: 350,
      closing: 4_160,
      movements: [
        {
          at: '2026-01-05T10:00:00.000Z',
          kind: 'grant',
          credits: 5_000,
          reference: 'invoice-2041',
          note: null,
        },
      ],
      usage: [
        {
          from: '2026-01-01',
          until: '2026-01-31',
          ...USE_EXAMPLE,
          price: '0.002',
          currency: 'EUR',
          amount: '2.38',
        },
      ],
      totals: {
        ...SUMS_EXAMPLE,
        failed_requests: 10,
        amounts: [{ currency: 'EUR', amount: '2.38' }],
      },
    },
  },
  csv: statementCsv,
  async handle(context, { query }) {
    const { auditRetentionDays, history, reads } = context
    const month = monthOf(query.month)
    await checkMonth(reads, month, auditRetentionDays)
    const accountId = await idOf(context, query.account)
    const { overdue, statement } = await reads.run(readStatement, { accountId, month })
    await history.keepSums(overdue)
    return statementJson(statement)
  },
})

const idOf = async (context: OperatorContext, account: string) => (await found(context, account)).accountId

export const reportEndpoints = [costs, statement]

const PLACE = { at: 'number', id: 'string' } as const

const USAGE_EXAMPLE = {
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
    output: {
      items: [USAGE_EXAMPLE],
      totals: { rows: 1, calls: 1, credits: 1, refunds: 0 },
      next_cursor: null,
    },
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
