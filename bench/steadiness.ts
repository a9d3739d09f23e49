/** Latency of Black–Scholes calls at a steady rate beside heavy requests. */
import { bodyFiles } from './body-files.ts'
import { CALL } from './http.ts'
import type { LoadResult } from './load.ts'
import { BOTH_CORES, generateSuccesses, type Quantd, startQuantd } from './machine.ts'
import { median, type Part, type Row, ratioRow } from './record.ts'

const ROUNDS = 5
const PER_SECOND = 500
const ROUND_SECONDS = 3
const HEAVY = {
  name: 'isolation forests of 50,000 × 10',
  path: '/quantlib/ml/clustering/isolation-forest',
}

/** Calls on a schedule, with and without heavy requests, which are sent one after another beside them. */
export async function steadiness(): Promise<Part> {
  const files = bodyFiles()
  const bodyFile = files.write(50_000, 10)
  const quantd = await startQuantd({ cores: BOTH_CORES })
  const alone: LoadResult[] = []
  const beside: LoadResult[] = []
  let sent = 0
  for (let round = -1; round < ROUNDS; round++) {
    const without = await callSteadily(quantd)
    const [withHeavy, { statuses }] = await Promise.all([
      callSteadily(quantd),
      generateSuccesses({
        url: quantd.url + HEAVY.path,
        headers: quantd.headers,
        bodyFile,
        connections: 1,
        seconds: ROUND_SECONDS,
      }),
    ])
    // The first round is a warm-up.
    if (round < 0) continue
    alone.push(without)
    beside.push(withHeavy)
    sent += statuses['200']
  }
  await quantd.stop()
  files.remove()
  const p99 = (rounds: LoadResult[]) => ({ unit: 'ms', rounds: rounds.map(({ p99Ms }) => p99Ms) })
  const fromSent = (rounds: LoadResult[]) => median(rounds.map(({ sentP99Ms }) => sentP99Ms)).toFixed(2)
  const work = `p99 of Black–Scholes calls at a steady ${PER_SECOND}/s while ${HEAVY.name} run one after another`
  const rows: Row[] = [
    ratioRow(
      {
        id: 'steady-ratio',
        work,
        against: 'without them',
        goal: { is: 'at most', value: 3 },
        note: `${Math.round(sent / ROUNDS)} requests a round of ${ROUND_SECONDS} s. Timed from when a call was sent: ${fromSent(beside)} ms against ${fromSent(alone)} ms.`,
      },
      p99(beside),
      p99(alone),
    ),
    {
      id: 'steady-p99',
      work: `p99 beside ${HEAVY.name}`,
      against: '–',
      goal: { is: 'at most', value: 25 },
      measured: median(p99(beside).rounds),
      unit: 'ms',
      ours: p99(beside),
      theirs: null,
    },
  ]
  return {
    rounds: ROUNDS,
    conditions: `The service free to use both cores, as it is deployed. Calls are sent at ${PER_SECOND}/s, independent of the replies, and timed from when each was due; another process sends the heavy requests.`,
    rows,
  }
}

const callSteadily = (quantd: Quantd) =>
  generateSuccesses({
    url: quantd.url + CALL.path,
    headers: quantd.headers,
    body: CALL.body,
    connections: 64,
    seconds: ROUND_SECONDS,
    perSecond: PER_SECOND,
  })
