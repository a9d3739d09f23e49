/** A failover run: loads two nodes, destroys the primary again and again, and checks the ledger after each time. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type NodeProcess, nodeProcess } from '../../support/node-process.ts'
import { operator } from '../../support/operator.ts'
import { postgresSql } from '../../support/plain-sql.ts'
import { createGuest } from '../../support/service.ts'
import { runLoad } from '../crash/round.ts'
import { type Outage, watchOutage } from './outage.ts'
import { type Patroni, startPatroni } from './patroni.ts'

export interface FailoverOptions {
  readonly rounds: number
  readonly seed: number
  /** With an asynchronous standby, acknowledged calls are lost; the run counts them. */
  readonly synchronous: boolean
  readonly onRound?: (round: number, result: FailoverRound) => void
}

export interface FailoverRound {
  /** One per node: the first reaches PostgreSQL by a list of hosts, the second through HAProxy. */
  readonly outages: readonly Outage[]
  readonly requests: number
  readonly statuses: ReadonlyMap<number, number>
  readonly refunds: number
  /** Calls that were answered with success and are not in the ledger any more. */
  readonly lost: number
  /** Audit rows of failures and idempotency keys that are lost with an asynchronous standby. */
  readonly forgotten: number
  /** All other violations. */
  readonly violations: readonly string[]
}

export interface FailoverResult {
  readonly rounds: readonly FailoverRound[]
  /** Nodes that ended by themselves; none may. */
  readonly ended: readonly string[]
}

/** Load before the kill, so that both nodes have commits under way. */
const LOAD_MS = 1_500
/** The same after the calls succeed again. */
const AFTER_MS = 1_000
/** A lag that a real network may have. */
const LAG_MS = 300

export async function failover(options: FailoverOptions): Promise<FailoverResult> {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-failover-nodes-'))
  const patroni = await startPatroni(options)
  const ended: string[] = []
  const nodes: NodeProcess[] = []
  try {
    const masterKey = randomBytes(32).toString('base64')
    for (const [number, url] of [patroni.hostsUrl, patroni.proxyUrl].entries())
      nodes.push(
        await nodeProcess({
          dataDir: join(folder, `node-${number}`),
          settings: {
            DATABASE_URL: url,
            QUANTD_MASTER_KEY: masterKey,
            QUANTD_IP_LIMITS: 'off',
            QUANTD_COMPUTE_THREADS: '1',
            LOG_LEVEL: 'warn',
          },
          onUnasked: (message) => ended.push(message),
        }),
      )
    await Promise.all(nodes.map((node) => node.start()))
    const rounds: FailoverRound[] = []
    for (let round = 1; round <= options.rounds && ended.length === 0; round++) {
      const result = await runRound(patroni, nodes, options, round, () =>
        auditFaults(folder, masterKey, patroni),
      )
      rounds.push(result)
      options.onRound?.(round, result)
    }
    return { rounds, ended }
  } finally {
    await Promise.all(nodes.map((node) => node.kill9()))
    await patroni.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runRound(
  patroni: Patroni,
  nodes: readonly NodeProcess[],
  { seed, synchronous }: FailoverOptions,
  round: number,
  audit: () => Promise<string[]>,
): Promise<FailoverRound> {
  await patroni.settled()
  const bench = {
    nodes,
    sql: postgresSql(patroni.proxyUrl),
    ...(!synchronous && { patienceMs: 5_000 }),
  }
  let outages: Outage[] = []
  const { violations, ...result } = await runLoad(bench, seed, round, async () => {
    const keys = await Promise.all(nodes.map((node) => createGuest(node.url)))
    await sleep(LOAD_MS)
    const member = (await patroni.primary())!
    if (!synchronous) {
      member.holdReplication()
      await sleep(LAG_MS)
    }
    const killedAt = performance.now()
    await member.destroy()
    outages = await Promise.all(nodes.map(({ url }, number) => watchOutage(url, keys[number], killedAt)))
    member.start()
    await sleep(AFTER_MS)
  })
  const isForgotten = (violation: string) => !synchronous && FORGOTTEN.test(violation)
  return {
    ...result,
    outages,
    lost: violations.filter(isFree).length,
    forgotten: violations.filter(isForgotten).length,
    violations: [
      ...violations.filter((violation) => !isFree(violation) && !isForgotten(violation)),
      ...(await audit()),
    ],
  }
}

/** What `quantd verify-audit` finds on the server that is the primary now. */
async function auditFaults(folder: string, masterKey: string, { proxyUrl }: Patroni): Promise<string[]> {
  const settings = { QUANTD_DATA_DIR: folder, QUANTD_MASTER_KEY: masterKey, DATABASE_URL: proxyUrl }
  const { code, err, out } = await operator(settings)(['verify-audit'])
  return code === 0 ? [] : [`verify-audit: ${out}${err}`]
}

/** A success without its debit. */
const isFree = (violation: string): boolean => FREE.test(violation)
const FREE = /: (answered 200, debited 0 times|debited 0 times, answered .*\b200\b)/

/** A failure without its audit row; a call that was computed again because its idempotency key is lost. */
const FORGOTTEN =
  /: (a failure was answered without its audit row|repeated, but answered 200|another body was answered 200|the same call was answered differently)/
