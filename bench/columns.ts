/** 100,000 Black–Scholes options as columns, in Arrow and in JSON, compared with the kernel alone and with batches. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ARROW_STREAM } from '../src/body/media-type.ts'
import { type WrittenColumn, writeStream } from '../src/compute/arrow/write-stream.ts'
import { CALL, checkBilled } from './http.ts'
import { BOTH_CORES, generateSuccesses, startQuantd } from './machine.ts'
import { type Figures, type Part, ratioRow } from './record.ts'

const ROWS = 100_000
const CALLS = 5_000
const ROUNDS = 5
const ROUND_SECONDS = 1
/** Requests at a time: while one is received, another is computed. */
const CONNECTIONS = 2

/** A book of options: all numbers vary from row to row, in four digits. */
export function book(rows: number): Record<string, Float64Array> {
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

export async function columns(): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const numbers = book(ROWS)
  const written = Object.entries(numbers).map(
    ([name, values]): WrittenColumn => ({ name, type: 'float64', values }),
  )
  const arrow = file('book.arrow', Buffer.concat(writeStream(written, ROWS, [], {})))
  const lists = Object.fromEntries(Object.entries(numbers).map(([name, values]) => [name, [...values]]))
  const json = file('book.json', JSON.stringify({ columns: lists }))
  const calls = Array.from({ length: CALLS }, (_, row) => ({
    path: CALL.path,
    body: Object.fromEntries(Object.entries(numbers).map(([name, values]) => [name, values[row]!])),
  }))
  const batch = file('batch.json', JSON.stringify({ calls }))
  // As many threads as cores: the same cores as the kernel's.
  const quantd = await startQuantd({ cores: BOTH_CORES, settings: { QUANTD_COMPUTE_THREADS: '2' } })
  const send = (path: string, bodyFile: string, headers: Readonly<Record<string, string>> = {}) =>
    generateSuccesses(
      {
        url: quantd.url + path,
        headers: { ...quantd.headers, ...headers },
        bodyFile,
        connections: CONNECTIONS,
        seconds: ROUND_SECONDS,
      },
      BOTH_CORES,
    )
  const inArrow = { 'content-type': ARROW_STREAM, accept: ARROW_STREAM }
  const rounds: Record<'arrow' | 'json' | 'batch' | 'kernel', number[]> = {
    arrow: [],
    json: [],
    batch: [],
    kernel: [],
  }
  for (let round = -1; round < ROUNDS; round++) {
    const figures = {
      arrow: ROWS * (await send(`${CALL.path}/columns`, arrow, inArrow)).perSecond,
      json: ROWS * (await send(`${CALL.path}/columns`, json)).perSecond,
      batch: CALLS * (await send('/quantlib/batch', batch)).perSecond,
      kernel: kernelPerSecond(),
    }
    // The first round is a warm-up.
    if (round < 0) continue
    for (const name of Object.keys(rounds) as (keyof typeof rounds)[]) rounds[name].push(figures[name])
  }
  await checkBilled(quantd)
  await quantd.stop()
  rmSync(folder, { recursive: true })
  const figures = (name: keyof typeof rounds): Figures => ({ unit: 'options/s', rounds: rounds[name] })
  const request = `${ROWS} Black–Scholes options as columns over HTTP, charged and durable, ${CONNECTIONS} requests at a time`
  return {
    rounds: ROUNDS,
    conditions:
      'Service, its two worker threads and the load generator share both cores; on SQLite. The kernel runs on one core.',
    rows: [
      ratioRow(
        {
          id: 'columns-arrow',
          work: `${request}, Arrow both ways`,
          against: 'the kernel alone, in the same rounds',
          goal: { is: 'at least', value: 0.5 },
        },
        figures('arrow'),
        figures('kernel'),
      ),
      ratioRow(
        {
          id: 'columns-json',
          work: `${request}, JSON both ways`,
          against: `batches of ${CALLS} of the same options, in the same rounds`,
          goal: { is: 'at least', value: 2 },
        },
        figures('json'),
        figures('batch'),
      ),
    ],
  }
}

/** Prices a second of the kernel on one core, in a process of its own. */
const kernelPerSecond = (): number =>
  Number(execFileSync('taskset', ['-c', BOTH_CORES, process.execPath, import.meta.filename, 'kernel']))

if (process.argv[1] === import.meta.filename && process.argv[2] === 'kernel') {
  const { blackScholesPrice } = await import('../src/numerics/options/black-scholes.ts')
  const { risk_free_rate, spot, strike, time_to_maturity, volatility } = book(ROWS)
  const prices = new Float64Array(ROWS)
  let best = 0
  for (let round = 0; round < 30; round++) {
    const startedAt = performance.now()
    for (let row = 0; row < ROWS; row++)
      prices[row] = blackScholesPrice(
        true,
        spot![row]!,
        strike![row]!,
        risk_free_rate![row]!,
        volatility![row]!,
        time_to_maturity![row]!,
        0,
      )
    best = Math.max(best, ROWS / ((performance.now() - startedAt) / 1_000))
  }
  console.log(best)
}
