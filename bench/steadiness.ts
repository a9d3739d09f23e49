/** Latency of Black–Scholes calls at a steady rate beside heavy requests. */
import { book, columnsBodies, IN_ARROW } from './columns.ts'
import { CALL } from './http.ts'
import type { LoadResult } from './load.ts'
import { BOTH_CORES, generateSuccesses, type Quantd, startQuantd } from './machine.ts'
import { bodyFiles } from './matrices.ts'
import { median, type Part, type Row, ratioRow } from './record.ts'

const ROUNDS = 5
const PER_SECOND = 500
const ROUND_SECONDS = 3
const COLUMN_ROWS = 100_000

/** Requests that are sent one after another beside the calls. */
interface Heavy {
  /** Of its rows in the results. */
  readonly suffix: string
  readonly name: string
  readonly path: string
  readonly bodyFile: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls on a schedule, with and without heavy requests. */
export async function steadiness(): Promise<Part> {
  const files = bodyFiles()
  const { arrow, json } = columnsBodies(book(COLUMN_ROWS))
  const columns = `Black–Scholes columns of ${COLUMN_ROWS.toLocaleString('en')} rows`
  const path = `${CALL.path}/columns`
  const heavies: Heavy[] = [
    {
      suffix: '',
      name: 'isolation forests of 50,000 × 10',
      path: '/quantlib/ml/clustering/isolation-forest',
      bodyFile: files.write(50_000, 10),
    },
    { suffix: '-json', name: `${columns} in JSON`, path, bodyFile: files.keep(json) },
    { suffix: '-arrow', name: `${columns} in Arrow`, path, bodyFile: files.keep(arrow), headers: IN_ARROW },
  ]
  const rows: Row[] = []
  for (const heavy of heavies) rows.push(...(await steadyBeside(heavy)))
  files.remove()
  return {
    rounds: ROUNDS,
    conditions: `The service free to use both cores, as it is deployed. Calls are sent at ${PER_SECOND}/s, independent of the replies, and timed from when each was due; another process sends the heavy requests.`,
    rows,
  }
}

async function steadyBeside({ bodyFile, headers, name, path, suffix }: Heavy): Promise<Row[]> {
  const quantd = await startQuantd({ cores: BOTH_CORES })
  const alone: LoadResult[] = []
  const beside: LoadResult[] = []
  let sent = 0
  for (let round = -1; round < ROUNDS; round++) {
    const without = await callSteadily(quantd)
    const [withHeavy, { statuses }] = await Promise.all([
      callSteadily(quantd),
      generateSuccesses({
        url: quantd.url + path,
        headers: { ...quantd.headers, ...headers },
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
  const p99 = (rounds: LoadResult[]) => ({ unit: 'ms', rounds: rounds.map(({ p99Ms }) => p99Ms) })
  const fromSent = (rounds: LoadResult[]) => median(rounds.map(({ sentP99Ms }) => sentP99Ms)).toFixed(2)
  const work = `p99 of Black–Scholes calls at a steady ${PER_SECOND}/s while ${name} run one after another`
  return [
    ratioRow(
      {
        id: `steady-ratio${suffix}`,
        work,
        against: 'without them',
        goal: { is: 'at most', value: 3 },
        note: `${Math.round(sent / ROUNDS)} requests a round of ${ROUND_SECONDS} s. Timed from when a call was sent: ${fromSent(beside)} ms against ${fromSent(alone)} ms.`,
      },
      p99(beside),
      p99(alone),
    ),
    {
      id: `steady-p99${suffix}`,
      work: `p99 beside ${name}`,
      against: '–',
      goal: { is: 'at most', value: 25 },
      measured: median(p99(beside).rounds),
      unit: 'ms',
      ours: p99(beside),
      theirs: null,
    },
  ]
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
