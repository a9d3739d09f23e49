/** A failover run: loads two nodes, destroys the primary again and again, and checks the ledger after each time. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type NodeProcess, nodeProcess } from '../../support/node-process.ts'
import { operator, type Ran } from '../../support/operator.ts'
import { postgresSql } from '../../support/plain-sql.ts'
import { createGuest } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { runLoad } from '../crash/round.ts'
import { type Outage, watchOutage } from './outage.ts'
import { type Member, type Patroni, startPatroni } from './patroni.ts'

interface FailoverRound {
  /** One per node: the first reaches PostgreSQL by a list of hosts, the second through HAProxy. */
  readonly outages: readonly Outage[]
  readonly statuses: ReadonlyMap<number, number>
  readonly violations: readonly string[]
}

/** Load before the kill, so that both nodes have commits under way. */
const LOAD_MS = 1_500
/** The same after the calls succeed again. */
const AFTER_MS = 1_000

/** @returns the rounds; fewer if a node ended by itself, which is told in `ended` */
export async function failover(
  rounds: number,
): Promise<{ readonly rounds: readonly FailoverRound[]; readonly ended: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-failover-nodes-'))
  const patroni = await startPatroni()
  const ended: string[] = []
  const exported = join(folder, 'checkpoints.ndjson')
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
            QUANTD_CHECKPOINT_FILE: exported,
            QUANTD_IP_LIMITS: 'off',
            QUANTD_COMPUTE_THREADS: '1',
            LOG_LEVEL: 'warn',
          },
          onUnasked: (message) => ended.push(message),
        }),
      )
    await Promise.all(nodes.map((node) => node.start()))
    const results: FailoverRound[] = []
    while (results.length < rounds && ended.length === 0) {
      const { violations, ...result } = await runRound(patroni, nodes, exported, results.length + 1)
      const faults = await auditFaults({ folder, masterKey, exported }, patroni)
      results.push({ ...result, violations: [...violations, ...faults] })
    }
    return { rounds: results, ended }
  } finally {
    await Promise.all(nodes.map((node) => node.kill9()))
    await patroni.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runRound(
  patroni: Patroni,
  nodes: readonly NodeProcess[],
  exported: string,
  round: number,
): Promise<FailoverRound> {
  await patroni.settled()
  const bench = { nodes, exported, sql: postgresSql(patroni.proxyUrl) }
  let outages: Outage[] = []
  const result = await runLoad(bench, SEED, round, async () => {
    const keys = await Promise.all(nodes.map((node) => createGuest(node.url)))
    await sleep(LOAD_MS)
    const member = await primaryOf(patroni)
    // The outage begins at once, and may end before all files are deleted.
    const destroyed = member.destroy()
    const watched = Promise.all(nodes.map(({ url }, number) => watchOutage(url, keys[number])))
    ;[outages] = await Promise.all([watched, destroyed])
    member.start()
    await sleep(AFTER_MS)
  })
  return { ...result, outages }
}

/** On a busy machine Patroni may have no primary for a moment: then it could not renew its lock in time. */
async function primaryOf(patroni: Patroni): Promise<Member> {
  let member: Member | null = null
  const isThere = async () => {
    member = await patroni.primary()
    return member !== null
  }
  await until(isThere, 'a member was the primary')
  return member!
}

const SEED = 1

/**
 * The findings of `quantd verify-audit` on the server that is the primary now. Without one it prints nothing, and is asked
 * again.
 */
async function auditFaults(
  { exported, folder, masterKey }: Readonly<Record<'folder' | 'masterKey' | 'exported', string>>,
  { proxyUrl }: Patroni,
): Promise<string[]> {
  const settings = { QUANTD_DATA_DIR: folder, QUANTD_MASTER_KEY: masterKey, DATABASE_URL: proxyUrl }
  let verified: Ran
  const isRead = async () => {
    verified = await operator(settings)(['verify-audit', '--checkpoints', exported])
    return verified.out !== ''
  }
  await until(isRead, 'the audit was read')
  const { code, err, out } = verified!
  return code === 0 ? [] : [`verify-audit: ${out}${err}`]
}
