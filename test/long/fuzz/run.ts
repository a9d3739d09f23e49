/** A run of the fuzzer: starts a service, sends the requests of all callers, and checks the ledger. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFlags } from '../../../scripts/run-node.js'
import { nodeProcess } from '../../support/node-process.ts'
import { postgresSql, sqliteSql } from '../../support/plain-sql.ts'
import { startPostgres } from '../../support/postgres.ts'
import { descriptors, memoryMb } from '../../support/processes.ts'
import { member } from './accounts.ts'
import { act, actArrow, type Caller, openCaller } from './actions.ts'
import { dice } from './dice.ts'
import { type ApiDocument, readDocument } from './document.ts'
import { openLane } from './lane.ts'
import { type Held, leaks } from './leaks.ts'
import { openLedgerCheck } from './ledger-check.ts'
import { openTally, type Tally } from './tally.ts'

export interface FuzzOptions {
  readonly database: 'sqlite' | 'postgres'
  readonly seed: number
  readonly requests: number
  /** The run ends after this time, if it has not sent all requests; absent: no end. */
  readonly minutes?: number
  /** The number of concurrent callers. */
  readonly lanes: number
  /** Runs only the caller of this number, to replay a violation; null: all. */
  readonly onlyLane: number | null
  /** Sends mutated Arrow streams alone. */
  readonly onlyArrow?: boolean
  readonly onCheck?: (tally: Tally) => void
}

export interface FuzzResult {
  readonly tally: Tally
  /** Faults of the ledger, the log and the process, which no single request shows. */
  readonly faults: readonly string[]
  readonly seconds: number
  /** The most resident memory of the service. */
  readonly residentMb: number
  /** The run's files; null: removed, since there was no violation. */
  readonly folder: string | null
}

/** The ledger is checked after this many requests, while none is running. */
const REQUESTS_PER_CHECK = 20_000
const MOST_VIOLATIONS = 30
/** A run with at least this many requests reaches every endpoint. */
const FEW_REQUESTS = 10_000
/** The number of registered accounts; creating one takes a password hash. */
const MEMBERS = 8
/** A service with one worker thread stays below this under the fuzzer's load; more indicates a leak. */
const MOST_RESIDENT_MB = 700
/** A computation may take 30 s; a reply that takes longer than this means that the service hangs. */
const LONGEST_REPLY_MS = 60_000
const REST_MS = 500
/** The pause in a run of minutes, in which the service collects its garbage, which would look like a leak. */
const LONG_REST_MS = 6_000
const COLLECT = ['--import', join(import.meta.dirname, 'collect.ts')]

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const {
    database,
    lanes: laneCount,
    minutes,
    onCheck,
    onlyArrow = false,
    onlyLane,
    requests,
    seed,
  } = options
  const folder = mkdtempSync(join(tmpdir(), 'quantd-fuzz-'))
  const faults: string[] = []
  const server = database === 'postgres' ? await startPostgres() : null
  const dataDir = join(folder, 'node')
  const masterKey = randomBytes(32).toString('base64')
  const node = await nodeProcess({
    dataDir,
    execArgv: minutes === undefined ? nodeFlags : [...nodeFlags, ...COLLECT],
    settings: {
      QUANTD_MASTER_KEY: masterKey,
      QUANTD_IP_LIMITS: 'off',
      QUANTD_COMPUTE_THREADS: '1',
      LOG_LEVEL: 'warn',
      ...(server !== null && { DATABASE_URL: server.url }),
    },
    onUnasked: (message) => faults.push(message),
  })
  await node.start()
  const sql = server === null ? sqliteSql(join(dataDir, 'quantd.db')) : postgresSql(server.url)
  const tally = openTally()
  const ledgerCheck = openLedgerCheck(sql)
  const callers: Caller[] = []
  try {
    const document = readDocument()
    const port = Number(new URL(node.url).port)
    const open = async (number: number): Promise<Caller> => {
      const name = `fuzz${seed}-lane${number}`
      const lane = openLane({ port, document, ledgerCheck, tally })
      const own = number < MEMBERS ? await member(node.url, sql, dataDir, `${name}@example.org`) : null
      return await openCaller({ name, lane, document }, { url: node.url, sql, member: own })
    }
    callers.push(...(await Promise.all(Array.from({ length: laneCount }, (_, number) => open(number)))))
    const startedAt = performance.now()
    const endsAt = minutes === undefined ? Infinity : startedAt + 60_000 * minutes
    const isOver = () =>
      tally.violations.length >= MOST_VIOLATIONS || faults.length > 0 || performance.now() > endsAt
    const held: Held[] = []
    for (let first = 0; first < requests && !isOver(); first += REQUESTS_PER_CHECK) {
      const end = Math.min(requests, first + REQUESTS_PER_CHECK)
      await Promise.all(
        callers.map(async (caller, lane) => {
          if (onlyLane !== null && lane !== onlyLane) return
          for (let number = firstOf(first, lane, laneCount); number < end && !isOver(); number += laneCount)
            await (onlyArrow ? actArrow : act)(caller, number, dice(seed, number))
        }),
      )
      await sleep(minutes === undefined ? REST_MS : LONG_REST_MS)
      held.push({ residentMb: Math.round(memoryMb(node.pid!)), descriptors: descriptors(node.pid!) })
      faults.push(...(await ledgerCheck.check()))
      onCheck?.(tally)
    }
    const seconds = (performance.now() - startedAt) / 1_000
    const most = Math.max(...held.map(({ residentMb }) => residentMb))
    if (minutes !== undefined) faults.push(...leaks(held))
    if (most > MOST_RESIDENT_MB) faults.push(`the service took ${most} MB, more than ${MOST_RESIDENT_MB}`)
    if (tally.slowestMs > LONGEST_REPLY_MS) faults.push(`a reply took ${tally.slowestMs.toFixed(0)} ms`)
    const code = await node.stop()
    if (code !== 0) faults.push(`the service ended with ${code}`)
    faults.push(...logFaults(readFileSync(join(dataDir, 'log'), 'utf8'), masterKey))
    if (onlyLane === null && !onlyArrow && requests >= FEW_REQUESTS)
      faults.push(...unreached(tally, document))
    const isClean = faults.length === 0 && tally.violations.length === 0
    return { tally, faults, seconds, residentMb: most, folder: isClean ? null : folder }
  } finally {
    for (const { lane } of callers) lane.close()
    await node.kill9()
    await sql.close()
    await server?.stop()
    if (faults.length === 0 && tally.violations.length === 0) rmSync(folder, { recursive: true, force: true })
  }
}

/** The first number at or above `from` that belongs to a lane. */
const firstOf = (from: number, lane: number, lanes: number): number =>
  from + ((((lane - from) % lanes) + lanes) % lanes)

/** Statuses that a run must have received, of computations and of any endpoint; overload comes by chance. */
const OF_COMPUTATIONS = [200, 400, 422]
const OF_ANY = [...OF_COMPUTATIONS, 401, 403, 409, 415]

/** Endpoints and statuses that a run without them has not tested. */
function unreached({ endpoints }: Tally, { endpoints: documented }: ApiDocument): string[] {
  const received = (path: string) => endpoints.get(path) ?? new Map<number, number>()
  const missing = documented.flatMap(({ isComputation, path }) =>
    (isComputation ? OF_COMPUTATIONS : [])
      .filter((status) => !received(path).has(status))
      .map((status) => `${path} ${status}`),
  )
  const any = new Set([...endpoints.values()].flatMap((statuses) => [...statuses.keys()]))
  return [
    ...documented
      .filter(({ input, needsKey, path }) => (needsKey || input !== null) && !endpoints.has(path))
      .map(({ path }) => path),
    ...missing,
    ...OF_ANY.filter((status) => !any.has(status)).map(String),
  ].map((what) => `never reached: ${what}`)
}

const SECRETS = /qd_(user|guest)_[A-Za-z0-9]{43}|unutterable/

function logFaults(log: string, masterKey: string): string[] {
  const bugs = log.split('\n').filter((line) => line.includes('internal error'))
  return [
    ...bugs.slice(0, 5).map((line) => `internal error in the log: ${line.slice(0, 1_000)}`),
    ...(SECRETS.test(log) || log.includes(masterKey) ? ['the log contains a key or a password'] : []),
  ]
}
