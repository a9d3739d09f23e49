/** Faults of a Citus cluster: of its coordinator, of a worker, and of the network before each. Each resolves when it is over. */
import { setTimeout as sleep } from 'node:timers/promises'
import { asAdmin } from '../../support/as-admin.ts'
import { type KillableServer, startCitus } from '../../support/citus-cluster.ts'
import { whileStopped } from '../../support/processes.ts'
import { openBehindProxies, type ProxiedCitus, type ProxiedServer } from '../../support/proxied-citus.ts'
import { until } from '../../support/until.ts'
import type { Fault, FaultKind } from './schedule.ts'

/** Starts a cluster of its own. */
export async function openCitus(): Promise<ProxiedCitus> {
  const cluster = await startCitus()
  const citus = await openBehindProxies(cluster.folder)
  return {
    ...citus,
    close() {
      citus.close()
      cluster.stop()
    },
  }
}

/** The server that a fault strikes: a worker in three of four cases. */
const struck = ({ coordinator, workers }: ProxiedCitus, { variant }: Fault): ProxiedServer =>
  variant < 0.25 ? coordinator : workerOf(workers, variant)

const workerOf = (workers: readonly ProxiedServer[], variant: number): ProxiedServer =>
  workers[Math.floor(variant * 1_000) % workers.length]

/** Kills a worker; unless `where` is null, just after a connection was cut at a COMMIT. */
export async function killWorker(
  { workers }: ProxiedCitus,
  { forMs, variant, where }: Fault,
  waitMs: number,
): Promise<void> {
  const { proxy, server } = workerOf(workers, variant)
  if (where !== null) await proxy.cut(where, waitMs)
  await killFor(server, forMs)
}

export const killCoordinator = ({ coordinator }: ProxiedCitus, { forMs }: Fault) =>
  killFor(coordinator.server, forMs)

async function killFor(server: KillableServer, forMs: number): Promise<void> {
  server.kill9()
  await sleep(forMs)
  await server.start()
}

export const cutCommit = ({ workers }: ProxiedCitus, { variant, where }: Fault, waitMs: number) =>
  workerOf(workers, variant).proxy.cut(where!, waitMs)

export const freeze = (citus: ProxiedCitus, fault: Fault): Promise<void> =>
  whileStopped(struck(citus, fault).server.pid, () => sleep(fault.forMs))

export async function stall(citus: ProxiedCitus, fault: Fault): Promise<void> {
  const { proxy } = struck(citus, fault)
  proxy.stall()
  await sleep(fault.forMs)
  proxy.resume(fault.variant < 0.6 ? 'deliver' : 'reset')
}

export async function halfClose(citus: ProxiedCitus, fault: Fault): Promise<void> {
  struck(citus, fault).proxy.halfClose(fault.variant < 0.6 ? 'node' : 'database')
}

/** Another session holds the audit table or the row of an account. */
export const lock = ({ url }: ProxiedCitus, { forMs, variant }: Fault) =>
  asAdmin(url, async (admin) => {
    const { rows } = await admin.query('SELECT id FROM accounts ORDER BY id DESC LIMIT 1')
    await admin.query('BEGIN')
    if (variant < 0.3) await admin.query('LOCK TABLE audit')
    else await admin.query(`SELECT 1 FROM accounts WHERE id = ${rows[0].id} FOR UPDATE`)
    await sleep(forMs)
    await admin.query('ROLLBACK')
  })

const MODES = ['auto', 'force_logical', 'block_writes'] as const
/** Kinds of fault that end, or delay, a move. */
const DURING_MOVE = ['node', 'worker', 'coordinator', 'commit', 'pause'] as const satisfies FaultKind[]

export const duringMove = ({ variant }: Fault) =>
  DURING_MOVE[Math.floor(variant * 1_000) % DURING_MOVE.length]

/** Moves a shard to the other worker. Like an operator, it repeats a move that a fault ended. */
export async function moveShard({ url }: ProxiedCitus, { variant }: Fault): Promise<void> {
  const mode = MODES[Math.floor(variant * MODES.length)]
  let target: number | null = null
  let last: unknown
  const isMoved = () =>
    asAdmin(url, async (admin) => {
      await admin.query("SET statement_timeout = '60s'")
      const shards = (
        await admin.query(`SELECT shardid AS shard, nodename AS host, nodeport AS port FROM pg_dist_shard
          JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
          WHERE logicalrelid = 'accounts'::regclass ORDER BY shardid`)
      ).rows
      const { host, port, shard } = shards[Math.floor(variant * 1_000) % shards.length]
      const workers = (await admin.query('SELECT nodeport AS port FROM pg_dist_node WHERE groupid > 0')).rows
      target ??= workers.find((worker) => worker.port !== port).port
      if (port === target) return true
      await admin.query(
        `SELECT citus_move_shard_placement(${shard}, '${host}', ${port}, '${host}', ${target}, '${mode}')`,
      )
      return true
    }).catch((error) => {
      last = error
      return false
    })
  await until(isMoved, 'a shard was moved').catch(() => {
    throw new Error('a shard was not moved', { cause: last })
  })
}
