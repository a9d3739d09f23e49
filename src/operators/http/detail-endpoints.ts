/** One account in detail: the use of its limits, its grants, keys and usage, and the pages of its history. */

import { windowUse } from '../../accounts/credits.ts'
import { nullable, text, whole } from '../../accounts/field-schemas.ts'
import { teamKeys } from '../../accounts/team-keys/lineages.ts'
import { shown, shownKey } from '../../accounts/team-keys/list.ts'
import { pageOfUsage, summaryOf, summaryOutput, usageOutput, usageQuery } from '../../accounts/usage.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { movements } from '../accounts.ts'
import { found } from './account-endpoints.ts'
import { operatorEndpoint } from './endpoint.ts'
import { orNull } from './field-schemas.ts'

const named = text('e-mail address or number of the account')

const details = operatorEndpoint({
  verb: null,
  role: 'viewer',
  path: '/operator/v1/accounts/details',
  title: 'An account in detail',
  summary:
    'Returns the present use of the limits of an account, its grants with their references, its team keys, and its usage by operation and by day.',
  query: Type.Object({ account: named }),
  output: Type.Object({
    windows: Type.Array(
      Type.Object({
        name: Type.Enum(['hour', 'day', 'work']),
        limit: whole('computations in it; of work: processor seconds in an hour'),
        used: whole('those made or used'),
        resets_at: orNull('when the window ends; null: no window is running'),
      }),
    ),
    grants: Type.Array(
      Type.Object({
        at: text('when'),
        kind: text('grant, transfer_in, transfer_out, reversal, expired'),
        credits: Type.Number({ description: 'negative: taken away' }),
        note: orNull('the note, or the reason'),
        reference: orNull('the reference; null: none'),
        reversed: nullable(
          Type.Integer(),
          'credits of the grant that were taken back; null: the movement has no reference',
        ),
      }),
      { description: 'changes of the balance except charges, the newest first' },
    ),
    team_keys: Type.Array(Type.Object(shownKey)),
    usage: summaryOutput,
  }),
  failures: ['not_found'],
  example: {
    output: {
      windows: [{ name: 'hour' as const, limit: 500, used: 3, resets_at: '2026-01-01T13:00:00.000Z' }],
      grants: [
        {
          at: '2026-01-01T12:00:00.000Z',
          kind: 'grant',
          credits: 5_000,
          note: 'invoice 2041',
          reference: 'invoice-2041',
          reversed: 0,
        },
      ],
      team_keys: [],
      usage: {
        by_endpoint: [{ path: '/quantlib/pricing/bs/price', calls: 1, credits: 1 }],
        by_day: [{ day: '2026-01-01', calls: 1, credits: 1 }],
      },
    },
  },
  async handle(context, { query }) {
    const { history, plan, store } = context
    const account = await found(context, query.account)
    const { accountId } = account
    const { result } = await history.usageSums(accountId)
    const windows = await store.run(windowUse, accountId, plan())
    return {
      windows: windows.map(({ resetsAt, ...window }) => ({ ...window, resets_at: isoTime(resetsAt) })),
      grants: (await store.run(movements, accountId)).map(({ at, ...given }) => ({
        at: isoTime(at),
        ...given,
      })),
      team_keys: (await store.run(teamKeys, accountId)).map(shown),
      usage: await summaryOf(store, accountId, result),
    }
  },
})

const usage = operatorEndpoint({
  verb: null,
  role: 'viewer',
  path: '/operator/v1/accounts/usage',
  title: 'The history of an account',
  summary:
    'Lists the computations of an account, the newest first, as its owner sees them. With a filter a page may hold fewer items than `limit` and still have a `next_cursor`.',
  query: Type.Object({ account: named, ...usageQuery }),
  output: usageOutput,
  failures: ['not_found'],
  example: { output: { items: [], next_cursor: null } },
  async handle(context, { query: { account, ...query } }) {
    const { accountId } = await found(context, account)
    return (await pageOfUsage(context.history, accountId, query)).page
  },
})

export const detailEndpoints = [details, usage]
