/** The cost of the calls of a month, by account, key and operation. */
import { nullable, text, whole } from '../../accounts/field-schemas.ts'
import { Type } from '../../base/type.ts'
import { checkMonth, costHeading, costLine, costPage, costsOf, monthOf, totalsOf } from '../costs.ts'
import { found } from './account-endpoints.ts'
import { type OperatorContext, operatorEndpoint } from './endpoint.ts'
import { accountId, format, idIn, nextCursor, orNull, page } from './field-schemas.ts'

const counts = {
  calls: whole('computations, including failed ones, which cost nothing'),
  credits: Type.Number({ description: 'credits charged' }),
  refunded: Type.Number({ description: 'credits given back in the month' }),
}
const EXAMPLE = {
  account_id: 17,
  email: 'ada@example.org',
  key_id: null,
  key_name: null,
  path: '/quantlib/pricing/bs/price',
  calls: 1_200,
  credits: 1_190,
  refunded: 0,
}

const costs = operatorEndpoint({
  verb: 'cost-report',
  role: 'viewer',
  path: '/operator/v1/reports/costs',
  title: 'Costs of a month',
  summary:
    'Returns the calls of a month (UTC) and their credits, by account, key and operation: for one account, or page by page for all registered accounts with calls. With `format=csv` the reply is a table, and the header `X-Next-Cursor` has the cursor of the next page.',
  query: Type.Object({
    month: Type.String({ description: 'month, UTC, YYYY-MM', pattern: '^[0-9]{4}-[0-9]{2}$' }),
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
        key_id: nullable(Type.Integer(), "id of the team key; null: the account's own key"),
        key_name: orNull('its name'),
        path: orNull('the operation; null: refunds of calls whose rows are past their retention'),
        ...counts,
      }),
    ),
    totals: Type.Object(counts, { description: 'sums of the items' }),
    next_cursor: nextCursor,
  }),
  failures: ['not_found', 'conflict'],
  example: {
    output: {
      month: '2026-01',
      items: [EXAMPLE],
      next_cursor: null,
      totals: { calls: 1_200, credits: 1_190, refunded: 0 },
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

const idOf = async (context: OperatorContext, account: string) => (await found(context, account)).accountId

export const reportEndpoints = [costs]
