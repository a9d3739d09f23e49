/** Totals of the computations of an account, by endpoint and by day. */

import { DAY_MS, dayName } from '../base/time.ts'
import { Type } from '../base/type.ts'
import type { Runner } from '../ledger/store/store.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { amount, listOf, rowNumber, text, whole } from './field-schemas.ts'
import { lagHeader } from './history.ts'
import { teamKeys } from './team-keys/lineages.ts'
import type { UsageSum } from './usage-sums.ts'

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
