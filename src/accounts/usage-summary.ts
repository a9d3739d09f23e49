/** Totals of the computations of an account, by endpoint and by day. */
import Type from 'typebox'
import { DAY_MS } from '../time.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { amount, listOf, text, whole } from './fields.ts'
import { lagHeader } from './history.ts'

const counted = { calls: whole('computations'), credits: amount('credits charged') }

export const usageSummary = accountEndpoint({
  method: 'GET',
  path: '/user/usage/summary',
  area: 'Credits and usage',
  title: 'Usage summary',
  summary:
    'Returns the number of computations and the credits charged, by endpoint and by day, over the same rows as the usage history. Open to guests.',
  key: 'any',
  perIp: null,
  query: null,
  input: null,
  output: Type.Object({
    by_endpoint: listOf(
      Type.Object({ path: text('path of the endpoint'), ...counted }),
      'totals by endpoint',
    ),
    by_day: listOf(Type.Object({ day: text('day, UTC, YYYY-MM-DD'), ...counted }), 'totals by day'),
  }),
  message: null,
  mayLag: true,
  failures: [],
  example: {
    input: null,
    output: {
      by_endpoint: [{ path: '/quantlib/pricing/bs/price', calls: 1, credits: 1 }],
      by_day: [{ day: '2026-01-01', calls: 1, credits: 1 }],
    },
  },
  async handle({ history }, { caller, headers }) {
    const { lagMs, result: sums } = await history.usageSums(caller.accountId)
    headers.push(...lagHeader(lagMs))
    const byEndpoint = totals(sums.map((sum) => ({ ...sum, name: sum.path })))
    const byDay = totals(sums.map((sum) => ({ ...sum, name: dayName(sum.day) })))
    return {
      by_endpoint: byEndpoint.map(({ name, ...counts }) => ({ path: name, ...counts })),
      by_day: byDay.map(({ name, ...counts }) => ({ day: name, ...counts })),
    }
  },
})

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

const dayName = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
