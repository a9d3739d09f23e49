/** The balance of the account, the grants and charges that it results from, and its limits with their use at the moment. */

import { keyInvalid } from '../base/errors/requests.ts'
import { isoTime } from '../base/time.ts'
import { Type } from '../base/type.ts'
import type { Plan } from '../ledger/rules/plan.ts'
import { isRunning, limitsOf, type WindowName, windowMs, workLimitOf } from '../ledger/rules/tiers.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { amount, instant, listOf, text } from './field-schemas.ts'
import { lotsOf } from './lots.ts'
import { type TeamKeyRecord, teamKey } from './team-keys/lineages.ts'

export const credits = accountEndpoint({
  path: '/user/credits',
  area: 'Credits and usage',
  title: 'Credits',
  summary:
    'Returns the balance, the credits granted and the credits spent, and the use of the limits at the moment. Open to guests.',
  key: 'any',
  teamKeys: true,
  output: Type.Object({
    credits: amount('current balance'),
    debt: Type.Optional(
      amount('credits that the operator took back and the balance did not hold; later grants pay it first'),
    ),
    granted: amount('sum of all grants and transfers, less credits that expired or were taken back'),
    spent: amount('sum of all charges less refunds'),
    lots: Type.Optional(
      listOf(
        Type.Object({ credits: amount('how many are left'), expires_at: instant('when they expire') }),
        'the part of the balance that expires, the soonest first, which is spent first',
      ),
    ),
    cap: Type.Optional(amount('of a team key: credits that it may spend in a period; absent: no cap')),
    cap_left: Type.Optional(amount('of a team key: credits of the cap that are not spent')),
    cap_resets_at: Type.Optional(instant('of a team key: when the cap renews; absent: never')),
    windows: listOf(
      Type.Object({
        name: Type.Enum(['hour', 'day', 'work'], {
          description: 'its length; work: processor time in an hour',
        }),
        limit: amount('computations in it; of work: processor seconds'),
        used: amount('those made or used'),
        resets_at: Type.Optional(instant('when it is over; absent: none runs')),
      }),
      'limits of computations, which all keys of the account share',
    ),
    grants: listOf(
      Type.Object({
        at: instant('when'),
        credits: amount('how many'),
        reason: text('why, for example verification, guest_creation, transfer_in, expired, reversal'),
      }),
      'credits that the account received; negative: that it lost without a call',
    ),
  }),
  example: {
    output: {
      credits: 349,
      granted: 350,
      spent: 1,
      windows: [
        { name: 'hour' as const, limit: 500, used: 1, resets_at: '2026-01-01T13:00:00.000Z' },
        { name: 'work' as const, limit: 600, used: 1, resets_at: '2026-01-01T13:00:00.000Z' },
      ],
      grants: [{ at: '2026-01-01T12:00:00.000Z', credits: 350, reason: 'verification' }],
    },
  },
  async handle({ limits, store }, { caller }) {
    const held = await store.run(holding, caller.accountId, caller.team?.id ?? null, limits())
    // The account was deleted after the key was looked up.
    if (held === null) throw keyInvalid()
    const { balance, debt, given, lots, team, windows } = held
    const granted = given.reduce((sum, grant) => sum + grant.credits, 0)
    return {
      credits: balance,
      ...(team !== null && capOf(team)),
      ...(debt > 0 && { debt }),
      granted,
      // Ledger invariant: balance − debt = grants + transfers + refunds − debits − reversals − expired.
      spent: granted - balance + debt,
      ...(lots.length > 0 && {
        lots: lots.map((lot) => ({
          credits: lot.remaining,
          expires_at: isoTime(lot.expiresAt),
        })),
      }),
      windows: windows.map(({ resetsAt, ...window }) => ({
        ...window,
        ...(resetsAt !== null && { resets_at: isoTime(resetsAt) }),
      })),
      grants: given.map(({ at, credits, reason }) => ({
        at: isoTime(at),
        credits,
        reason,
      })),
    }
  },
})

const capOf = ({ capResetsAt, creditCap, spent }: TeamKeyRecord) =>
  creditCap !== null && {
    cap: creditCap,
    cap_left: Math.max(0, creditCap - spent),
    ...(capResetsAt !== null && { cap_resets_at: isoTime(capResetsAt) }),
  }

/**
 * The credits of an account, and the movements that they result from. The account is locked, because a grant or call between
 * two statements would change the sum of debits. Null: there is no such account. @param teamKeyId null: the account's own key asks
 */
export function* holding(
  sql: Sql,
  accountId: number,
  teamKeyId: number | null,
  limits: Pick<Plan, 'tiers' | 'work'>,
) {
  yield* sql.lock([accountId])
  const account = yield* first(
    sql.db
      .selectFrom('accounts')
      .select(['balance', 'debt', 'lots_expire_at'])
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null),
  )
  if (account === undefined) return null
  const { balance, debt, lots_expire_at } = account
  return {
    balance,
    debt,
    // The admission of the request has booked expired lots.
    lots: lots_expire_at === null ? [] : yield* lotsOf(sql, [accountId]),
    given: yield* grants(sql, accountId),
    windows: yield* windowUse(sql, accountId, limits),
    team: teamKeyId === null ? null : ((yield* teamKey(sql, accountId, teamKeyId)) ?? null),
  }
}

/** The movements of an account except refunds and debits, oldest first; credits taken from the account are negative. */
function* grants(
  { db }: Sql,
  accountId: number,
): Transaction<{ at: number; credits: number; reason: string }[]> {
  const given = yield* rows(
    db
      .selectFrom('ledger')
      .select(['at', 'kind', 'amount', 'note'])
      .where('account_id', '=', accountId)
      .where('kind', 'in', ['grant', 'transfer_in', 'transfer_out', 'reversal', 'expired'])
      .orderBy('id'),
  )
  return given.map(({ amount, at, kind, note }) => ({
    at,
    credits: amount,
    reason: kind === 'grant' ? (note ?? kind) : kind,
  }))
}

type UsedWindow = Extract<WindowName, 'hour' | 'day' | 'work'>

/** `work` counts processor seconds, the others requests. */
interface WindowUse {
  readonly name: UsedWindow
  readonly limit: number
  readonly used: number
  /** When the window ends; null: no window is running. */
  readonly resetsAt: number | null
}

export function* windowUse(
  sql: Sql,
  accountId: number,
  plan: Pick<Plan, 'tiers' | 'work'>,
): Transaction<WindowUse[]> {
  const now = yield* sql.clock()
  const row = yield* first(
    sql.db
      .selectFrom('accounts')
      .select([
        'tier',
        'hour_limit as hourLimit',
        'day_limit as dayLimit',
        'work_limit as workLimit',
        'hour_started_at',
        'hour_count',
        'day_started_at',
        'day_count',
        'work_started_at',
        'work_micros',
      ])
      .where('id', '=', accountId),
  )
  if (row === undefined) return []
  const limits = { ...limitsOf(row, plan.tiers), work: workLimitOf(row, plan.work) }
  const use = (name: UsedWindow, startedAt: number, count: number): WindowUse[] => {
    const limit = limits[name]
    if (limit === null) return []
    return isRunning({ startedAt, count }, name, now)
      ? [{ name, limit, used: count, resetsAt: startedAt + windowMs[name] }]
      : [{ name, limit, used: 0, resetsAt: null }]
  }
  return [
    ...use('hour', row.hour_started_at, row.hour_count),
    ...use('day', row.day_started_at, row.day_count),
    ...use('work', row.work_started_at, Math.ceil(row.work_micros / 1e6)),
  ]
}
