/** Faults of a Citus cluster: of its coordinator, of a worker, and of the network before each. Each resolves when it is over. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { asAdmin } from '../../test/as-admin.ts'
import {
  COORDINATOR,
  citusBuild,
  type KillableServer,
  serverOf,
  startCitus,
  WORKERS,
} from '../../test/citus-cluster.ts'
import { joinCluster } from '../../test/citus-database.ts'
import { whileStopped } from '../../test/process-tree.ts'
import { type CommitProxy, openCommitProxy } from './commit-proxy.ts'
import type { Fault } from './schedule.ts'

/** A server, and the proxy by which the nodes and the other servers reach it. */
interface Server {
  readonly server: KillableServer
  readonly proxy: CommitProxy
}

export interface Citus {
  /** By way of the coordinator's proxy. */
  readonly nodeUrl: string
  /** The coordinator, directly. */
  readonly url: string
  readonly coordinator: Server
  readonly workers: readonly Server[]
  close(): void
}

/** Starts a cluster of its own. */
export async function openCitus(): Promise<Citus> {
  const build = citusBuild()
  if ('absent' in build) throw new Error(build.absent)
  const cluster = await startCitus(build.programs)
  const citus = await openBehindProxies(cluster.folder)
  return {
    ...citus,
    close() {
      citus.close()
      cluster.stop()
    },
  }
}

/** Makes a database of a cluster whose servers know each other by the addresses of proxies. */
export async function openBehindProxies(folder: string): Promise<Citus> {
  const [coordinator, ...workers] = await Promise.all([COORDINATOR, ...WORKERS].map(serverIn(folder)))
  const name = `torture_${randomBytes(4).toString('hex')}`
  const nodeUrl = new URL(coordinator!.proxy.url)
  nodeUrl.pathname = `/${name}`
  await asAdmin(urlOf(coordinator!.server, 'postgres'), (admin) => admin.query(`CREATE DATABASE ${name}`))
  await joinCluster(
    nodeUrl.href,
    workers.map(({ proxy }) => ({ host: '127.0.0.1', port: Number(new URL(proxy.url).port) })),
  )
  return {
    nodeUrl: nodeUrl.href,
    url: urlOf(coordinator!.server, name),
    coordinator: coordinator!,
    workers,
    close() {
      for (const { proxy } of [coordinator!, ...workers]) proxy.close()
    },
  }
}

const serverIn = (folder: string) => async (name: string) => {
  const server = serverOf(folder, name)
  return { server, proxy: await openCommitProxy(urlOf(server, 'postgres')) }
}

const urlOf = ({ port }: KillableServer, database: string) =>
  `postgres://postgres@127.0.0.1:${port}/${database}`

/** Three of four faults that may strike any server strike a worker. */
const struck = ({ coordinator, workers }: Citus, { variant }: Fault): Server =>
  variant < 0.25 ? coordinator : workerOf(workers, variant)

const workerOf = (workers: readonly Server[], variant: number): Server =>
  workers[Math.floor(variant * 1_000) % workers.length]!

/** Just after a connection was cut at a COMMIT, unless `where` is null. */
export async function killWorker(
  { workers }: Citus,
  { forMs, variant, where }: Fault,
  waitMs: number,
): Promise<void> {
  const { proxy, server } = workerOf(workers, variant)
  if (where !== null) await proxy.cut(where, waitMs)
  await killFor(server, forMs)
}

export const killCoordinator = ({ coordinator }: Citus, { forMs }: Fault) =>
  killFor(coordinator.server, forMs)

async function killFor(server: KillableServer, forMs: number): Promise<void> {
  server.kill9()
  await sleep(forMs)
  await server.start()
}

export const cutCommit = ({ workers }: Citus, { variant, where }: Fault, waitMs: number) =>
  workerOf(workers, variant).proxy.cut(where!, waitMs)

export const freeze = (citus: Citus, fault: Fault): Promise<void> =>
  whileStopped(struck(citus, fault).server.pid, () => sleep(fault.forMs))

export async function stall(citus: Citus, fault: Fault): Promise<void> {
  const { proxy } = struck(citus, fault)
  proxy.stall()
  await sleep(fault.forMs)
  proxy.resume(fault.variant < 0.6 ? 'deliver' : 'reset')
}

export async function halfClose(citus: Citus, fault: Fault): Promise<void> {
  struck(citus, fault).proxy.halfClose(fault.variant < 0.6 ? 'node' : 'database')
}

/** Another session holds the audit table or the row of an account. */
export const lock = ({ url }: Citus, { forMs, variant }: Fault) =>
  asAdmin(url, async (admin) => {
    const { rows } = await admin.query('SELECT id, bucket FROM accounts ORDER BY id DESC LIMIT 1')
    await admin.query('BEGIN')
    if (variant < 0.3) await admin.query('LOCK TABLE audit')
    else
      await admin.query(
        `SELECT 1 FROM accounts WHERE bucket = ${rows[0].bucket} AND id = ${rows[0].id} FOR UPDATE`,
      )
    await sleep(forMs)
    await admin.query('ROLLBACK')
  })
