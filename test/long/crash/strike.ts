/** Strikes one fault, and waits until the service has recovered from it. */
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { NodeProcess } from '../../support/node-process.ts'
import { processTree, whileStopped } from '../../support/processes.ts'
import type { ProxiedCitus } from '../../support/proxied-citus.ts'
import * as citus from './citus-faults.ts'
import * as postgres from './postgres-faults.ts'
import type { Fault, FaultKind } from './schedule.ts'
import type { SmallDisk } from './small-disk.ts'

/** The servers that a fault can strike. */
export interface Targets {
  readonly nodes: readonly NodeProcess[]
  /** Null on other databases. */
  readonly database: postgres.Database | null
  readonly citus: ProxiedCitus | null
  /** The disk under SQLite's data folder; null where none can be mounted. */
  readonly disk: SmallDisk | null
  /** The SQLite file. */
  readonly file: string
}

/** The time limit for a COMMIT to pass: clients send all the time, so only an extremely busy machine takes longer. */
const FAULT_MS = 20_000

/** Returns false if no fault happened; throws if the service did not stand it as it should. */
type Strike = (targets: Targets, fault: Fault) => Promise<boolean>

const strikes: Record<FaultKind, Strike> = {
  async node({ nodes }, { node }) {
    await nodes[node].kill9()
    await nodes[node].start()
    return true
  },
  async process({ nodes }, { node, variant }) {
    const [, ...running] = processTree(nodes[node].pid!)
    // Nodes that were struck before may not be replaced yet.
    const struck = running[Math.floor(variant * running.length)]
    if (struck !== undefined) process.kill(struck, 'SIGKILL')
    return struck !== undefined
  },
  async pause({ nodes }, { forMs, node }) {
    await whileStopped(nodes[node].pid!, () => sleep(forMs))
    return true
  },
  async locked(targets, fault) {
    if (targets.citus !== null) await citus.lock(targets.citus, fault)
    else if (targets.database !== null) await postgres.lockTable(targets.database, fault)
    else await lockFile(targets.file, fault.forMs)
    return true
  },
  async second({ nodes }, { node }) {
    const { code, output } = await nodes[node].second()
    const isRefused =
      code === 1 && output.trimEnd().endsWith('a folder of its own.') && !output.trimEnd().includes('\n')
    if (!isRefused) throw new Error(`a second service ended with ${code}: ${output}`)
    return true
  },
  async full({ database, disk }, fault) {
    if ((database?.disk ?? disk) === null) return false
    if (database !== null) await postgres.fillDisk(database, fault)
    else {
      disk!.fill()
      await sleep(fault.forMs)
      disk!.clear()
    }
    return true
  },
  async 'read-only'({ disk, nodes }, { forMs, node }) {
    if (disk === null) return false
    disk.fail()
    await sleep(forMs)
    // Only a new mount makes it writable again.
    await nodes[node].kill9()
    disk.renew()
    await nodes[node].start()
    return true
  },
  async power({ disk, nodes }, { node }) {
    if (disk === null) return false
    await nodes[node].kill9()
    const hasLost = disk.lose()
    disk.renew()
    await nodes[node].start()
    return hasLost
  },
  async flush({ nodes }, { node }) {
    nodes[node].signal('SIGUSR2')
    return true
  },
  async database({ database, nodes }, { forMs, node, variant, where }) {
    const { proxies, server } = database!
    if (where !== null) await proxies[node].cut(where, FAULT_MS)
    server.kill9()
    await sleep(forMs)
    // Only the refund journal then knows of the calls whose COMMIT was cut.
    const killsNode = variant < 0.5
    if (killsNode) await nodes[node].kill9()
    await server.start()
    if (killsNode) await nodes[node].start()
    return true
  },
  async worker(targets, fault) {
    await citus.killWorker(targets.citus!, fault, FAULT_MS)
    return true
  },
  async coordinator(targets, fault) {
    await citus.killCoordinator(targets.citus!, fault)
    return true
  },
  async move(targets, fault) {
    const moving = citus.moveShard(targets.citus!, fault)
    await sleep(2 * fault.afterMs)
    const results = await Promise.allSettled([strikes[citus.duringMove(fault)](targets, fault), moving])
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return true
  },
  commit: (targets, fault) =>
    targets.citus === null
      ? postgres.cutCommit(targets.database!, fault, FAULT_MS)
      : citus.cutCommit(targets.citus, fault, FAULT_MS),
  freeze: onDatabase(postgres.freeze, citus.freeze),
  connections: onDatabase(postgres.refuseConnections),
  timeouts: onDatabase(postgres.shortenTimeouts),
  terminate: onDatabase(postgres.terminateStorm),
  cancel: onDatabase(postgres.cancelStorm),
  stall: onDatabase(postgres.stall, citus.stall),
  'half-closed': onDatabase(postgres.halfClose, citus.halfClose),
}

export async function strike(targets: Targets, fault: Fault): Promise<boolean> {
  await sleep(fault.afterMs)
  const hasHappened = await strikes[fault.kind](targets, fault)
  return (await recovered(targets.nodes)) && hasHappened
}

/** Every node serves again without a restart. */
async function recovered(nodes: readonly NodeProcess[]): Promise<boolean> {
  for (const node of nodes)
    if (!(await node.isReadyAgain())) throw new Error('a node did not become ready again')
  return true
}

function onDatabase(
  work: (database: postgres.Database, fault: Fault) => Promise<void>,
  onCitus?: (cluster: ProxiedCitus, fault: Fault) => Promise<void>,
): Strike {
  return async (targets, fault) => {
    if (targets.citus === null) await work(targets.database!, fault)
    else await onCitus!(targets.citus, fault)
    return true
  }
}

/** Locks the SQLite file, like a command that writes for a long time. */
async function lockFile(file: string, forMs: number): Promise<void> {
  const db = new Database(file, { timeout: FAULT_MS })
  try {
    db.exec('BEGIN IMMEDIATE')
    await sleep(forMs)
    db.exec('ROLLBACK')
  } finally {
    db.close()
  }
}
