/** Latency of Black–Scholes calls at a steady rate beside heavy requests, and of /healthz beside large bodies. */
import { book, columnsBodies, IN_ARROW } from './columns.ts'
import { CALL } from './http.ts'
import type { LoadResult } from './load.ts'
import { BOTH_CORES, generate, generateSuccesses, type Quantd, SERVER_CORE, startQuantd } from './machine.ts'
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

const FOREST = '/quantlib/ml/clustering/isolation-forest'

/** Calls on a schedule, with and without heavy requests. */
export async function steadiness(): Promise<Part> {
  const files = bodyFiles()
  const { arrow, json } = columnsBodies(book(COLUMN_ROWS))
  const columns = `Black–Scholes columns of ${COLUMN_ROWS.toLocaleString('en')} rows`
  const path = `${CALL.path}/columns`
  const small: Heavy = {
    suffix: '',
    name: 'isolation forests of 50,000 × 10',
    path: FOREST,
    bodyFile: files.write(50_000, 10),
  }
  const others: Heavy[] = [
    {
      suffix: '-forest',
      name: 'isolation forests of 100,000 × 10',
      path: FOREST,
      bodyFile: files.write(100_000, 10),
    },
    { suffix: '-json', name: `${columns} in JSON`, path, bodyFile: files.keep(json) },
    { suffix: '-arrow', name: `${columns} in Arrow`, path, bodyFile: files.keep(arrow), headers: IN_ARROW },
  ]
  const asDeployed = 'the service free to use both cores, as it is deployed'
  const rows: Row[] = []
  for (const heavy of [small, ...others]) rows.push(...(await steadyOn(BOTH_CORES, asDeployed, heavy)))
  rows.push(...(await steadyOn(SERVER_CORE, 'the service and its worker thread on one core', small)))
  files.remove()
  return {
    rounds: ROUNDS,
    conditions: `Calls are sent at ${PER_SECOND}/s, independent of the replies, and timed from when each was due; another process sends the heavy requests.`,
    rows,
  }
}

async function steadyOn(cores: string, where: string, heavy: Heavy): Promise<Row[]> {
  const { bodyFile, headers, name, path } = heavy
  const isGoal = cores === BOTH_CORES
  const quantd = await startQuantd({ cores })
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
  const suffix = `${heavy.suffix}${isGoal ? '' : '-one-core'}`
  const work = `p99 of Black–Scholes calls at a steady ${PER_SECOND}/s while ${name} run one after another; ${where}`
  return [
    ratioRow(
      {
        id: `steady-ratio${suffix}`,
        work,
        against: 'without them',
        goal: isGoal ? { is: 'at most', value: 3 } : null,
        note: `${Math.round(sent / ROUNDS)} requests a round of ${ROUND_SECONDS} s. Timed from when a call was sent: ${fromSent(beside)} ms against ${fromSent(alone)} ms.`,
      },
      p99(beside),
      p99(alone),
    ),
    {
      id: `steady-p99${suffix}`,
      work: `p99 beside ${name}; ${where}`,
      against: '–',
      goal: isGoal ? { is: 'at most', value: 25 } : null,
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

const LIMIT_BYTES = 16 * 2 ** 20
const LOOKS_PER_SECOND = 500
/** Longer than a reply takes. */
const LOOK_SECONDS = 2

/** The delay of the event loop while a large body is received, computed and answered. */
export async function eventLoopDelay(): Promise<Part> {
  const files = bodyFiles()
  const { arrow, json } = columnsBodies(book(COLUMN_ROWS))
  const kinds: readonly (Omit<Heavy, 'suffix'> & { readonly id: string })[] = [
    {
      id: 'outliers',
      name: 'outliers of 100,000 × 10 in a body of 16 MiB, a reply of 0.6 MB',
      path: '/quantlib/ml/preprocessing/outliers',
      bodyFile: files.write(100_000, 10, {}, LIMIT_BYTES),
    },
    {
      id: 'forest',
      name: 'an isolation forest of 900,000 × 1 in a body of 16 MiB, a reply of 19 MB',
      path: '/quantlib/ml/clustering/isolation-forest',
      bodyFile: files.write(900_000, 1, { n_trees: 20 }, LIMIT_BYTES),
    },
    {
      id: 'columns-json',
      name: `Black–Scholes columns of ${COLUMN_ROWS.toLocaleString('en')} rows in JSON`,
      path: `${CALL.path}/columns`,
      bodyFile: files.keep(json),
    },
    {
      id: 'columns-arrow',
      name: `Black–Scholes columns of ${COLUMN_ROWS.toLocaleString('en')} rows in Arrow`,
      path: `${CALL.path}/columns`,
      bodyFile: files.keep(arrow),
      headers: IN_ARROW,
    },
  ]
  const rows: Row[] = []
  for (const { bodyFile, headers = {}, id, name, path } of kinds) {
    const quantd = await startQuantd({ cores: BOTH_CORES })
    const look = (seconds: number) =>
      generate({
        url: `${quantd.url}/healthz`,
        method: 'GET',
        connections: 64,
        seconds,
        perSecond: LOOKS_PER_SECOND,
      })
    const ask = () =>
      generateSuccesses({
        url: quantd.url + path,
        headers: { ...quantd.headers, ...headers },
        bodyFile,
        connections: 1,
        seconds: 0,
        once: true,
      })
    const quiet: number[] = []
    const beside: number[] = []
    for (let round = -1; round < ROUNDS; round++) {
      const without = await look(LOOK_SECONDS)
      const [withIt] = await Promise.all([look(LOOK_SECONDS), ask()])
      if (round < 0) continue
      quiet.push(without.maxMs)
      beside.push(withIt.maxMs)
    }
    await quantd.stop()
    rows.push({
      id: `event-loop-${id}`,
      work: `event-loop delay during ${name}: slowest of /healthz at ${LOOKS_PER_SECOND}/s`,
      against: 'without it, for information',
      goal: { is: 'at most', value: 20 },
      measured: median(beside),
      unit: 'ms',
      ours: { unit: 'ms', rounds: beside },
      theirs: { unit: 'ms', rounds: quiet },
    })
  }
  files.remove()
  return {
    rounds: ROUNDS,
    conditions:
      'The service free to use both cores; the slowest reply of each round, timed from when it was due.',
    rows,
  }
}
