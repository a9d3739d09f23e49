/** Rates and processor time of Black–Scholes calls by connections, beside a bare route; and the latency of a call alone. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processorSeconds } from '../test/support/processes.ts'
import { CALL, callFor } from './http.ts'
import type { LoadResult } from './load.ts'
import { startEcho, startPinnedPostgres, startQuantd } from './machine.ts'
import { median, type Part, type Row, ratioRow } from './record.ts'

const CONNECTIONS = [1, 4, 16, 64, 256, 1_000]
/** The numbers of connections whose processor time is compared, most services having no more. */
const COMPARED = CONNECTIONS.slice(0, 4)
/** At most so many times the processor time of the bare route. */
const GOALS: Readonly<Record<string, number>> = {
  'SQLite 16': 2,
  'SQLite 64': 1.6,
  'PostgreSQL 16': 2.6,
  'PostgreSQL 64': 2,
}
const ALONE_MS = 0.3
const ROUNDS = 5
const SECONDS = 0.7
const WARM_UP_SECONDS = 3
/** The pages that a group of one call writes to the log of SQLite. */
const LOGGED_BYTES = 7 * 4_096

interface Round extends LoadResult {
  /** Processor time of the server's process, all threads. */
  readonly micros: number
  /** Of a write of LOGGED_BYTES to the disk, in the same round. */
  readonly flushMs: number
}

export async function connections(): Promise<Part> {
  const postgres = await startPinnedPostgres()
  const echo = await startEcho()
  const sides = {
    SQLite: await startQuantd(),
    PostgreSQL: await startQuantd({ databaseUrl: await postgres.database() }),
    echo,
  }
  const disk = flushes()
  const found = new Map<string, Round[]>()
  const of = (name: string, count: number): readonly Round[] => found.get(`${name} ${count}`) ?? []
  for (const side of Object.values(sides)) await callFor(side, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const count of CONNECTIONS)
      for (const [name, side] of Object.entries(sides)) {
        const flushMs = disk.flush()
        const before = processorSeconds(side.pid)
        const result = await callFor(side, SECONDS, count)
        const calls = Object.values(result.statuses).reduce((sum, number) => sum + number, 0)
        const micros = ((processorSeconds(side.pid) - before) / calls) * 1e6
        found.set(`${name} ${count}`, [...of(name, count), { ...result, micros, flushMs }])
      }
  disk.close()
  for (const side of [...Object.values(sides), postgres]) await side.stop()
  const databases = ['SQLite', 'PostgreSQL'] as const
  return {
    rounds: ROUNDS,
    conditions: `Black–Scholes calls (${CALL.path}); the server on one core, generator and PostgreSQL on the other; medians of ${ROUNDS} rounds of ${SECONDS} s.`,
    rows: [
      ...databases.flatMap((name) =>
        COMPARED.map((count) => processorRow(name, count, of(name, count), of('echo', count))),
      ),
      aloneRow(of('SQLite', 1)),
    ],
    series: [
      ...databases.map((name) => [`quantd on ${name}`, name] as const),
      ['bare Fastify route', 'echo'] as const,
    ].map(([name, side]) => ({
      name,
      points: CONNECTIONS.map((count) => [count, median(of(side, count).map(rateOf))] as const),
    })),
  }
}

const rateOf = ({ perSecond }: Round): number => perSecond
const microsOf = (rounds: readonly Round[]) => ({ unit: 'µs', rounds: rounds.map(({ micros }) => micros) })

function processorRow(name: string, count: number, ours: readonly Round[], theirs: readonly Round[]): Row {
  const goal = GOALS[`${name} ${count}`]
  return ratioRow(
    {
      id: `call-${name.toLowerCase()}-${count}`,
      work: `processor time of a metered Black–Scholes call on ${name}, ${count} connection${count === 1 ? '' : 's'}`,
      against: 'bare Fastify route that echoes the same body',
      goal: goal === undefined ? null : { is: 'at most', value: goal },
    },
    microsOf(ours),
    microsOf(theirs),
  )
}

/** A call that no other one is in progress with waits for the disk and for nothing else. */
const aloneRow = (rounds: readonly Round[]): Row => ({
  id: 'call-alone',
  work: 'latency (p50) of a call alone on SQLite, beyond a flush of the disk',
  against: `a write of ${LOGGED_BYTES} bytes and fdatasync, in the same round`,
  goal: { is: 'at most', value: ALONE_MS },
  measured: median(rounds.map(({ flushMs, p50Ms }) => p50Ms - flushMs)),
  unit: 'ms',
  ours: { unit: 'ms', rounds: rounds.map(({ p50Ms }) => p50Ms) },
  theirs: { unit: 'ms', rounds: rounds.map(({ flushMs }) => flushMs) },
})

const FLUSHES = 25

/** A file on the disk of the databases, which is overwritten like a log. */
function flushes() {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
  const file = openSync(join(folder, 'log'), 'w')
  const bytes = Buffer.alloc(LOGGED_BYTES, 'x')
  const once = (): number => {
    const startedAt = performance.now()
    writeSync(file, bytes, 0, bytes.length, 0)
    fdatasyncSync(file)
    return performance.now() - startedAt
  }
  return {
    /** The median of several, in milliseconds. */
    flush: () => median(Array.from({ length: FLUSHES }, once)),
    close() {
      closeSync(file)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
