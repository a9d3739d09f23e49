/**
 * Accounts attack the threads of a service on this machine, while another one sends short calls:
 * npm run test:fairness -- [SECONDS]. Prints what the other one waits, and fails if that is too long. The load is bounded: it
 * ends after the given time (60 s) and reaches 127.0.0.1 only.
 */
import { COMPUTATION_MS, WAIT_MS } from '../../src/base/limits/callers.ts'
import { query } from '../support/database.ts'
import { peopleOf } from '../support/people.ts'
import { startTestService, type TestService } from '../support/service.ts'

const PARALLEL = 12
const FOREST = '/quantlib/ml/clustering/isolation-forest'
const VOLATILITY = '/quantlib/pricing/american/implied-volatility'
const CALIBRATE = '/quantlib/models/variance-gamma/calibrate'

const series = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index))

/** About 0.2 s of a core. */
const SHORT = JSON.stringify({
  calls: series(3, () => ({
    path: FOREST,
    body: {
      X: series(500, (row) => series(4, (column) => Number(Math.sin(row * 4 + column).toFixed(3)))),
      n_trees: 1_000,
    },
  })),
})
const unsolvable = {
  spot: 100,
  strike: 100,
  risk_free_rate: -0.05,
  dividend_yield: -0.03,
  time_to_maturity: 1,
  option_type: 'put',
}
/** Calls that take long for their cost: a volatility without a solution, columns of such, and a fit with many maturities. */
const ATTACKS = [
  [VOLATILITY, JSON.stringify({ ...unsolvable, price: 99.99 })],
  [
    `${VOLATILITY}/columns`,
    JSON.stringify({ columns: { ...unsolvable, price: series(45, (row) => 99 + row / 50) } }),
  ],
  [
    CALIBRATE,
    JSON.stringify({
      S: 100,
      r: 0.01,
      q: 0,
      quotes: series(2_000, (i) => ({
        K: 80 + (i % 40),
        T: 0.1 + i / 1_000,
        implied_volatility: 0.2 + (i % 7) / 100,
      })),
    }),
  ],
] as const

interface Waits {
  readonly ms: readonly number[]
  readonly refused: number
}

/** Sends short calls, one after another, for a time. */
async function payer(service: TestService, key: string, seconds: number): Promise<Waits> {
  const ms: number[] = []
  let refused = 0
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    const startedAt = performance.now()
    const { status } = await service.call('/quantlib/batch', { key, raw: SHORT })
    ms.push(performance.now() - startedAt)
    if (status !== 200) refused += 1
  }
  return { ms: ms.toSorted((a, b) => a - b), refused }
}

/** Each key sends heavy calls, so many at a time, until the signal; returns the replies by status. */
async function attack(service: TestService, keys: readonly string[], signal: AbortSignal) {
  const statuses: Record<number, number> = {}
  await Promise.all(
    keys.flatMap((key) =>
      series(PARALLEL, async (lane) => {
        const [path, raw] = ATTACKS[lane % ATTACKS.length]
        while (!signal.aborted) {
          const { status } = await service.call(path, { key, raw }).catch(() => ({ status: 0 }))
          statuses[status] = (statuses[status] ?? 0) + 1
          if (status !== 200 && status !== 422) await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }),
    ),
  )
  return statuses
}

const at = ({ ms }: Waits, part: number): number =>
  ms[Math.min(ms.length - 1, Math.ceil(part * ms.length) - 1)]
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`
const told = (waits: Waits): string =>
  `${waits.ms.length} calls, ${waits.refused} refused, p50 ${seconds(at(waits, 0.5))}, p99 ${seconds(at(waits, 0.99))}, longest ${seconds(at(waits, 1))}`

async function against(
  title: string,
  attackers: readonly string[],
  own: string,
  service: TestService,
  forSeconds: number,
) {
  const idle = await payer(service, own, Math.min(10, forSeconds))
  const stop = new AbortController()
  const attacking = attack(service, attackers, stop.signal)
  const attacked = await payer(service, own, forSeconds)
  stop.abort()
  console.log(`${title}\n  idle:     ${told(idle)}\n  attacked: ${told(attacked)}`)
  console.log(`  replies to the attackers: ${JSON.stringify(await attacking)}`)
  return { idle, attacked }
}

const forSeconds = Number(process.argv[2] ?? 60)
const limits = { timeLimitMs: COMPUTATION_MS, waitLimitMs: WAIT_MS }
const service = await startTestService(
  {
    QUANTD_COMPUTE_THREADS: '1',
    QUANTD_IP_LIMITS: 'off',
    QUANTD_TIERS: 'guest=100000/100000,free=100000,standard=100000',
  },
  { threadLimits: limits },
)
const { person } = peopleOf(service)
const keys = (await Promise.all(series(3, () => person()))).map(({ key }) => key)
const { key } = await person()
await query(service, 'UPDATE accounts SET balance = 1000000')
await query(service, "UPDATE accounts SET tier = 'standard' WHERE id = (SELECT max(id) FROM accounts)")
const guests = await Promise.all(series(5, () => service.guest()))
await query(service, 'UPDATE accounts SET balance = 1000000')
const paid = await against('3 free accounts attack, a payer calls', keys, key, service, forSeconds)
const guest = await against(
  '4 guests attack, another guest calls',
  guests.slice(1),
  guests[0],
  service,
  forSeconds,
)
await service.close()
const misses = [
  paid.attacked.refused > 0 && 'a call of the payer was refused',
  at(paid.attacked, 0.99) > 2 * at(paid.idle, 0.99) + 1_000 &&
    'the p99 of the payer is over twice that of an idle service and 1 s',
  at(guest.attacked, 1) > 3_000 && 'a call of the other guest took over 3 s',
].filter((miss) => miss !== false)
for (const miss of misses) console.error(miss)
process.exitCode = misses.length > 0 ? 1 : 0
