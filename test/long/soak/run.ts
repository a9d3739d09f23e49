/** A soak of one database: mixed load, first without faults, then with them; checks memory, descriptors and ledger. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFlags } from '../../../scripts/run-node.js'
import { type CommitProxy, openCommitProxy } from '../../support/commit-proxy.ts'
import { type NodeProcess, nodeProcess } from '../../support/node-process.ts'
import { type PlainSql, postgresSql, sqliteSql } from '../../support/plain-sql.ts'
import { type Postgres, startPostgres } from '../../support/postgres.ts'
import { AMPLE, guestAccount, refusedKeys } from '../fuzz/accounts.ts'
import { act, type Caller, openCaller } from '../fuzz/actions.ts'
import { dice } from '../fuzz/dice.ts'
import { type ApiDocument, readDocument } from '../fuzz/document.ts'
import { openLane } from '../fuzz/lane.ts'
import { type LedgerCheck, openLedgerCheck } from '../fuzz/ledger-check.ts'
import { type Mailbox, openMailbox } from '../fuzz/mailbox.ts'
import { openTally, type Tally } from '../fuzz/tally.ts'
import { bugsOf, refundsOf } from '../ledger.ts'
import { beCareless } from './careless-clients.ts'
import { liveOnce } from './life-cycle.ts'
import { restingDescriptors, type Slope, sampleMemory, watchStarvation } from './measure.ts'

export interface SoakOptions {
  readonly database: 'sqlite' | 'postgres'
  readonly seed: number
  readonly minutes: number
  readonly onPhase?: (phase: string, tally: Tally) => void
}

export interface SoakResult {
  readonly tally: Tally
  readonly faults: readonly string[]
  readonly seconds: number
  readonly lives: number
  readonly slope: Slope
  readonly boundMbPerMinute: number
  readonly descriptors: { readonly base: number; readonly steady: number; readonly end: number }
  readonly struck: { readonly kills: number; readonly restarts: number; readonly cuts: number }
  readonly refunds: number
  /** Seconds in which a process had no processor for a third of the time, which counts as a fault. */
  readonly starvedSeconds: number
  readonly folder: string | null
}

/** Shares of the time: until memory is stable, while memory is measured, and while nodes are killed. */
const SHARES = { warmUp: 0.25, steady: 0.4, kills: 0.35 }
const LANES = 10
const LIVES = 2
const CARELESS = 3
/** The longest pause of a caller between two requests, and its pause after a request without a reply. */
const PAUSE_MS = 20
const DOWN_MS = 60
const FAULT_EVERY_MS = 8_000
const REFUNDS_MS = 30_000
const CUT_WAIT_MS = 2_500

/** Memory may rise by MOST_MB while it is measured, or by MOST_MB_PER_MINUTE, whichever is more. */
const MOST_MB = 20
const MOST_MB_PER_MINUTE = 3
/** V8 may keep garbage for minutes, which looks like a leak. */
const COLLECT = join(import.meta.dirname, 'collect.ts')
/** Allows for one more worker thread or database connection without load. */
export const MOST_DESCRIPTORS_MORE = 16

/** The processes of a run. */
interface Site {
  readonly nodes: readonly NodeProcess[]
  readonly proxies: readonly CommitProxy[]
  readonly server: Postgres | null
  readonly sql: PlainSql
}

interface Load {
  readonly callers: readonly Caller[]
  /** Runs all clients until the condition holds and each has finished its request. */
  run(until: () => boolean): Promise<void>
  close(): void
  readonly lives: number
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { minutes, onPhase, seed } = options
  const folder = mkdtempSync(join(tmpdir(), 'quantd-soak-'))
  const faults: string[] = []
  const site = await openSite(options, folder, (message) => faults.push(message))
  const tally = openTally()
  const startedAt = performance.now()
  const starvation = watchStarvation(() => [...site.nodes, site.server].map((one) => one?.pid))
  let isFaulty = false
  try {
    const ledgerCheck = openLedgerCheck(site.sql)
    const load = await openLoad(site, seed, ledgerCheck, tally, () => isFaulty || starvation.isStarved())
    const struck = { kills: 0, restarts: 0, cuts: 0 }
    const [watched] = site.nodes
    const phase = async (name: string, share: number, faultsOf: (() => Promise<void>)[]): Promise<void> => {
      const end = performance.now() + minutes * 60_000 * share
      isFaulty = faultsOf.length > 0
      const running = load.run(() => performance.now() > end || faults.length > 0)
      for (let count = 0; faultsOf.length > 0 && performance.now() + FAULT_EVERY_MS < end; count++) {
        await sleep(FAULT_EVERY_MS)
        await faultsOf[count % faultsOf.length]()
      }
      await running
      load.close()
      faults.push(...(await refundsResolved(site)), ...(await ledgerCheck.check()))
      onPhase?.(name, tally)
    }
    const cut = async (): Promise<void> => {
      const chosen = dice(seed, struck.cuts)
      const where = chosen.pick(['before', 'behind', 'reply'] as const)
      if (await chosen.pick(site.proxies).cut(where, CUT_WAIT_MS)) struck.cuts += 1
    }
    const restart = async (): Promise<void> => {
      site.server!.kill9()
      await sleep(500)
      await site.server!.start()
      struck.restarts += 1
    }
    const kill = async (): Promise<void> => {
      const node = site.nodes.at(-1)!
      await node.kill9()
      await node.start()
      struck.kills += 1
    }
    const ofDatabase = site.server === null ? [] : [cut, restart, cut]

    await phase('warm-up', SHARES.warmUp, [])
    const base = await restingDescriptors(watched!.pid, null, sleep)
    const memory = sampleMemory(() => watched!.pid)
    await phase('steady', SHARES.steady, ofDatabase)
    const slope = memory.stop()
    const steady = await restingDescriptors(watched!.pid, base, sleep)
    await phase('kills', SHARES.kills, [kill, ...ofDatabase])
    const end = await restingDescriptors(watched!.pid, base, sleep)

    const boundMbPerMinute = Math.max(MOST_MB_PER_MINUTE, MOST_MB / (minutes * SHARES.steady))
    // Two standard errors cover the noise of the samples.
    if (slope.mbPerMinute - 2 * slope.error > boundMbPerMinute)
      faults.push(`memory rises by ${slope.mbPerMinute.toFixed(1)} ± ${slope.error.toFixed(1)} MB a minute`)
    for (const count of [steady, end])
      if (count > base + MOST_DESCRIPTORS_MORE) faults.push(`${count} descriptors at rest, ${base} before`)
    for (const node of site.nodes) faults.push(...bugsOf(node))
    return {
      tally,
      faults,
      seconds: (performance.now() - startedAt) / 1_000,
      lives: load.lives,
      slope,
      boundMbPerMinute,
      descriptors: { base, steady, end },
      struck,
      refunds: await refundsOf(site.sql),
      starvedSeconds: starvation.stop(),
      folder: faults.length + tally.violations.length > 0 ? folder : null,
    }
  } finally {
    starvation.stop()
    await Promise.all(site.nodes.map((node) => node.kill9()))
    for (const proxy of site.proxies) proxy.close()
    await site.sql.close()
    await site.server?.stop()
    if (faults.length + tally.violations.length === 0) rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts two nodes on PostgreSQL, the second of which will be killed, or one on SQLite. */
async function openSite(
  { database }: SoakOptions,
  folder: string,
  onUnasked: (message: string) => void,
): Promise<Site> {
  const settings = {
    QUANTD_MASTER_KEY: randomBytes(32).toString('base64'),
    QUANTD_IP_LIMITS: 'off',
    QUANTD_COMPUTE_THREADS: '1',
    LOG_LEVEL: 'warn',
  }
  const server = database === 'postgres' ? await startPostgres() : null
  const proxies =
    server === null ? [] : [await openCommitProxy(server.url), await openCommitProxy(server.url)]
  const nodes: NodeProcess[] = []
  for (const [number, proxy] of (proxies.length === 0 ? [null] : proxies).entries()) {
    const node = await nodeProcess({
      dataDir: join(folder, `node-${number}`),
      execArgv: [...nodeFlags, '--import', COLLECT],
      settings: proxy === null ? settings : { ...settings, DATABASE_URL: proxy.url },
      onUnasked,
    })
    await node.start()
    nodes.push(node)
  }
  const sql = server === null ? sqliteSql(join(folder, 'node-0', 'quantd.db')) : postgresSql(server.url)
  return { nodes, proxies, server, sql }
}

async function openLoad(
  site: Site,
  seed: number,
  ledgerCheck: LedgerCheck,
  tally: Tally,
  isFaulty: () => boolean,
): Promise<Load> {
  const { nodes, sql } = site
  const document = readDocument()
  const mailbox = openMailbox(nodes.map(({ dataDir }) => dataDir))
  const { url } = nodes[0]
  const refused = await refusedKeys(url, sql)
  const portOf = (number: number) => Number(new URL(nodes[number % nodes.length].url).port)
  const lane = (number: number) => openLane({ port: portOf(number), document, ledgerCheck, tally, isFaulty })
  const callers: Caller[] = []
  for (let number = 0; number < LANES; number++) {
    const name = `soak${seed}-${number}`
    callers.push(await openCaller({ name, lane: lane(number), document, refused }, { url, sql }))
  }
  const careless = await guestAccount(url, sql, `soak${seed} careless`, AMPLE)
  const lives = Array.from({ length: LIVES }, (_, number) =>
    lifeLane({ name: `life${seed}-${number}`, lane: lane(number), document, mailbox, isFaulty }),
  )
  let number = 0

  const call = async (caller: Caller, until: () => boolean): Promise<void> => {
    while (!until()) {
      const drawn = dice(seed, number)
      const silent = countSilent(tally)
      await act(caller, number++, drawn)
      await sleep(countSilent(tally) > silent && isFaulty() ? DOWN_MS : drawn.integer(0, PAUSE_MS))
    }
  }
  const roam = async (index: number, until: () => boolean): Promise<void> => {
    while (!until()) {
      await beCareless(
        { port: portOf(index), account: careless, ledgerCheck, tally },
        dice(seed, index, number++),
      )
      await sleep(PAUSE_MS)
    }
  }
  return {
    callers,
    async run(until) {
      await Promise.all([
        ...callers.map((caller) => call(caller, until)),
        ...lives.map((life) => life.run(until)),
        ...Array.from({ length: CARELESS }, (_, index) => roam(index, until)),
      ])
    },
    close() {
      for (const caller of callers) caller.lane.close()
      for (const life of lives) life.close()
    },
    get lives() {
      return lives.reduce((sum, life) => sum + life.count, 0)
    },
  }
}

const countSilent = ({ kinds }: Tally): number =>
  [...kinds.values()].reduce((sum, statuses) => sum + (statuses.get(0) ?? 0), 0)

function lifeLane(parts: {
  name: string
  lane: ReturnType<typeof openLane>
  document: ApiDocument
  mailbox: Mailbox
  isFaulty: () => boolean
}) {
  let number = 0
  let count = 0
  return {
    async run(until: () => boolean): Promise<void> {
      while (!until()) {
        if (await liveOnce(parts, number++)) count += 1
        else await sleep(DOWN_MS)
      }
    },
    close: parts.lane.close,
    get count() {
      return count
    },
  }
}

async function refundsResolved({ nodes }: Site): Promise<string[]> {
  const deadline = performance.now() + REFUNDS_MS
  while (nodes.some((node) => node.hasOpenRefunds())) {
    if (performance.now() > deadline) return ['the refund journal was not emptied in time']
    await sleep(50)
  }
  // Calls whose client has disconnected are still being settled.
  await sleep(1_000)
  return []
}
