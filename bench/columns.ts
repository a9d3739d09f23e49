/** 100,000 Black–Scholes options as columns, in Arrow and in JSON, compared with the kernel alone and with batches. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ARROW_STREAM } from '../src/compute/body/media-type.ts'
import { type WrittenColumn, writeStream } from '../src/wire/arrow/write-stream.ts'
import { bodyFiles } from './body-files.ts'
import { CALL, checkBilled } from './http.ts'
import { BOTH_CORES, generateSuccesses, OTHER_CORE, SERVER_CORE, startQuantd } from './machine.ts'
import { type Figures, type Part, type Row, ratioRow } from './record.ts'

const ROWS = 100_000
const CALLS = 5_000
const ROUNDS = 5
const WARM_UP_ROUNDS = 2
/** Long beside the fortieth of a second that filling the connections and waiting for the last replies take. */
const ROUND_SECONDS = 3
const KERNEL_SECONDS = 1
const KERNEL_WARM_UP_SECONDS = 0.3
/** Requests at a time: while one is received, another is computed. */
const CONNECTIONS = 2
/** Enough connections to keep both cores busy; with two, the cores wait a fifth of the time. */
const MANY_CONNECTIONS = 4
/** The headers of a request in Arrow that asks for a reply in Arrow. */
const IN_ARROW = { 'content-type': ARROW_STREAM, accept: ARROW_STREAM }

/** A book of options: all numbers vary from row to row, in four digits. */
function book(rows: number): Record<string, Float64Array> {
  const column = (step: number, low: number, high: number) =>
    Float64Array.from({ length: rows }, (_, row) =>
      Number((low + (high - low) * ((row * step) % 1)).toFixed(4)),
    )
  return {
    spot: column(0.618, 90, 110),
    strike: column(0.414, 70, 130),
    risk_free_rate: column(0.732, 0, 0.05),
    volatility: column(0.236, 0.1, 0.6),
    time_to_maturity: column(0.645, 0.1, 3),
  }
}

/** The numbers as the body of a columns request. */
function columnsBodies(numbers: Readonly<Record<string, Float64Array>>) {
  const columns = Object.entries(numbers)
  const written = columns.map(([name, values]): WrittenColumn => ({ name, type: 'float64', values }))
  const rows = columns[0][1].length
  return {
    arrow: Buffer.concat(writeStream(written, rows, [], {})),
    json: JSON.stringify({
      columns: Object.fromEntries(columns.map(([name, values]) => [name, [...values]])),
    }),
  }
}

export async function columns(): Promise<Part> {
  const files = bodyFiles()
  const numbers = book(ROWS)
  const bodies = columnsBodies(numbers)
  const calls = Array.from({ length: CALLS }, (_, row) => ({
    path: CALL.path,
    body: Object.fromEntries(Object.entries(numbers).map(([name, values]) => [name, values[row]])),
  }))
  const [arrow, json, batch] = [bodies.arrow, bodies.json, JSON.stringify({ calls })].map(files.keep)
  // As many threads as cores: the same cores as the kernel's.
  const quantd = await startQuantd({ cores: BOTH_CORES, settings: { QUANTD_COMPUTE_THREADS: '2' } })
  const send = (
    path: string,
    bodyFile: string,
    headers: Readonly<Record<string, string>> = {},
    connections = CONNECTIONS,
  ) =>
    generateSuccesses(
      {
        url: quantd.url + path,
        headers: { ...quantd.headers, ...headers },
        bodyFile,
        connections,
        seconds: ROUND_SECONDS,
      },
      BOTH_CORES,
    )
  const rounds: Rounds = { arrow: [], many: [], json: [], batch: [], kernels: [] }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const figures = {
      arrow: ROWS * (await send(`${CALL.path}/columns`, arrow, IN_ARROW)).perSecond,
      many: ROWS * (await send(`${CALL.path}/columns`, arrow, IN_ARROW, MANY_CONNECTIONS)).perSecond,
      json: ROWS * (await send(`${CALL.path}/columns`, json)).perSecond,
      batch: CALLS * (await send('/quantlib/batch', batch)).perSecond,
      kernels: sum(await Promise.all([SERVER_CORE, OTHER_CORE].map(kernelPerSecond))),
    }
    if (round < 0) continue
    for (const name of Object.keys(rounds) as (keyof Rounds)[]) rounds[name].push(figures[name])
  }
  await checkBilled(quantd)
  await quantd.stop()
  files.remove()
  return {
    rounds: ROUNDS,
    conditions:
      'Service, its two worker threads and the load generator share both cores; on SQLite. The kernel runs in a process on each core at the same time.',
    rows: rowsOf(rounds),
  }
}

type Rounds = Record<'arrow' | 'many' | 'json' | 'batch' | 'kernels', number[]>

function rowsOf(rounds: Rounds): Row[] {
  const figures = (name: keyof Rounds): Figures => ({ unit: 'options/s', rounds: rounds[name] })
  const work = (connections: number, form: string) =>
    `${ROWS} Black–Scholes options as columns over HTTP, charged and durable, ${connections} requests at a time, ${form} both ways`
  const inArrow = (id: string, connections: number, name: keyof Rounds) =>
    ratioRow(
      {
        id,
        work: work(connections, 'Arrow'),
        against: 'the kernel alone on both cores at once, in the same rounds',
        goal: { is: 'at least', value: 0.5 },
      },
      figures(name),
      figures('kernels'),
    )
  return [
    inArrow('columns-arrow', CONNECTIONS, 'arrow'),
    inArrow('columns-arrow-many', MANY_CONNECTIONS, 'many'),
    ratioRow(
      {
        id: 'columns-json',
        work: work(CONNECTIONS, 'JSON'),
        against: `batches of ${CALLS} of the same options, in the same rounds`,
        goal: { is: 'at least', value: 2 },
      },
      figures('json'),
      figures('batch'),
    ),
  ]
}

/** Prices a second of the kernel in a process on one core. */
async function kernelPerSecond(core: string): Promise<number> {
  const file = import.meta.filename
  const { stdout } = await promisify(execFile)('taskset', ['-c', core, process.execPath, file, 'kernel'])
  return Number(stdout)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

if (process.argv[1] === import.meta.filename && process.argv[2] === 'kernel') {
  const { blackScholesPrice } = await import('../src/numerics/options/black-scholes.ts')
  const { risk_free_rate, spot, strike, time_to_maturity, volatility } = book(ROWS)
  const prices = new Float64Array(ROWS)
  const round = (): void => {
    for (let row = 0; row < ROWS; row++)
      prices[row] = blackScholesPrice({
        spot: spot![row],
        strike: strike![row],
        rate: risk_free_rate![row],
        volatility: volatility![row],
        maturity: time_to_maturity![row],
        dividendYield: 0,
        type: 'call',
      })
  }
  /** Runs for a while, so that processes that start together run together; returns prices a second. */
  const runFor = (seconds: number): number => {
    const startedAt = performance.now()
    let rounds = 0
    while (performance.now() < startedAt + 1_000 * seconds) {
      round()
      rounds += 1
    }
    return (rounds * ROWS) / ((performance.now() - startedAt) / 1_000)
  }
  runFor(KERNEL_WARM_UP_SECONDS)
  console.log(runFor(KERNEL_SECONDS))
}
