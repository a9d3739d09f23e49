/** Faults of PostgreSQL and of the network before it. Each resolves when it is over. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ROW_LOCK_MS } from '../../../src/base/limits/operation.ts'
import { asAdmin } from '../../support/as-admin.ts'
import type { CommitProxy } from '../../support/commit-proxy.ts'
import type { Postgres } from '../../support/postgres.ts'
import { isAlive, whileStopped } from '../../support/processes.ts'
import type { Fault } from './schedule.ts'
import type { SmallDisk } from './small-disk.ts'

/** The role that nodes connect as; a superuser is exempt from the limit of connections. */
export const NODE_ROLE = 'node'
/** The pause between two strikes of a storm: from too short for any commit to long enough for several. */
const STORM_PAUSE_MS = { least: 40, most: 400 }

export interface Database {
  readonly server: Postgres
  /** The address of the database itself, as superuser. */
  readonly url: string
  readonly proxies: readonly CommitProxy[]
  readonly disk: SmallDisk | null
}

/** Makes a database that the nodes' role owns; returns its address for a superuser and for the nodes. */
export async function createNodeDatabase(server: Postgres): Promise<{ url: string; nodeUrl: string }> {
  await asAdmin(server.url, async (admin) => {
    await admin.query(`CREATE ROLE ${NODE_ROLE} LOGIN`)
    await admin.query(`CREATE DATABASE quantd OWNER ${NODE_ROLE}`)
  })
  const [url, nodeUrl] = [new URL(server.url), new URL(server.url)]
  url.pathname = nodeUrl.pathname = '/quantd'
  nodeUrl.username = NODE_ROLE
  return { url: url.href, nodeUrl: nodeUrl.href }
}

/** Another session holds the audit table, the accounts table or one account's row. */
export const lockTable = ({ url }: Database, { forMs, variant }: Fault) =>
  asAdmin(url, async (admin) => {
    await admin.query('BEGIN')
    if (variant < 0.3) await admin.query('LOCK TABLE audit')
    else if (variant < 0.5) await admin.query('LOCK TABLE accounts')
    else await admin.query(LOCK_ROW)
    await sleep(forMs)
    await admin.query('ROLLBACK')
  })

const LOCK_ROW = 'SELECT 1 FROM accounts ORDER BY id DESC LIMIT 1 FOR UPDATE'

/** Runs work, if `isLocked` while one account's row is locked: groups are then committed by account, with faults between them. */
const besideLock = (url: string, isLocked: boolean, work: (admin: pg.Client) => Promise<void>) =>
  asAdmin(url, async (holder) => {
    await holder.query('BEGIN')
    if (isLocked) await holder.query(LOCK_ROW)
    await asAdmin(url, work)
    await holder.query('ROLLBACK')
  })

/** Returns false if no COMMIT passed in time. */
export async function cutCommit(
  { proxies, url }: Database,
  { node, variant, where }: Fault,
  waitMs: number,
): Promise<boolean> {
  let hasStruck = false
  const isLocked = variant > 0.5
  await besideLock(url, isLocked, async () => {
    // After this time the node waits for the lock, and has divided its groups: nearly every COMMIT is then one of several.
    if (isLocked) await sleep(2 * ROW_LOCK_MS)
    hasStruck = await proxies[node].cut(where!, waitMs)
  })
  return hasStruck
}

export const refuseConnections = ({ url }: Database, { forMs, variant }: Fault) =>
  besideLock(url, variant > 0.3, async (admin) => {
    await admin.query(`ALTER ROLE ${NODE_ROLE} CONNECTION LIMIT ${Math.floor(variant * 5)}`)
    const until = performance.now() + forMs
    while (performance.now() < until) {
      await admin.query(END_ALL)
      await sleep(forMs / 3)
    }
    await admin.query(`ALTER ROLE ${NODE_ROLE} CONNECTION LIMIT -1`)
  })

export const shortenTimeouts = ({ url }: Database, { forMs, variant }: Fault) =>
  asAdmin(url, async (admin) => {
    const name =
      variant < 0.5 ? 'statement_timeout' : variant < 0.8 ? 'transaction_timeout' : 'idle_session_timeout'
    await admin.query(`ALTER ROLE ${NODE_ROLE} SET ${name} = '${1 + Math.floor((variant * 100) % 10)}ms'`)
    await admin.query(END_ALL)
    await sleep(forMs)
    await admin.query(`ALTER ROLE ${NODE_ROLE} RESET ${name}`)
    await admin.query(END_ALL)
  })

const ENDING = (how: string, which: string) =>
  `SELECT ${how}(pid) FROM pg_stat_activity WHERE usename = '${NODE_ROLE}' AND ${which}`
const END_ALL = ENDING('pg_terminate_backend', 'true')
const storm =
  (how: string) =>
  ({ url }: Database, { forMs, variant }: Fault) =>
    besideLock(url, variant > 0.3, async (admin) => {
      const { least, most } = STORM_PAUSE_MS
      const until = performance.now() + forMs
      // Idle connections are spared in half of the storms, so that more strikes meet a transaction.
      const which = variant < 0.5 ? 'true' : `state <> 'idle'`
      while (performance.now() < until) {
        await admin.query(ENDING(how, which))
        await sleep(least + variant * (most - least))
      }
    })
export const terminateStorm = storm('pg_terminate_backend')
export const cancelStorm = storm('pg_cancel_backend')

export const freeze = ({ server }: Database, { forMs }: Fault): Promise<void> =>
  whileStopped(server.pid!, () => sleep(forMs))

export async function stall({ proxies }: Database, { forMs, node, variant }: Fault): Promise<void> {
  proxies[node].stall()
  await sleep(forMs)
  proxies[node].resume(variant < 0.6 ? 'deliver' : 'reset')
}

export async function halfClose({ proxies }: Database, { node, variant }: Fault): Promise<void> {
  proxies[node].halfClose(variant < 0.5 ? 'node' : 'database')
}

/** PostgreSQL ends by itself if it cannot write its log; then it is started again. */
export async function fillDisk({ disk, server, url }: Database, { forMs, variant }: Fault): Promise<void> {
  disk!.fill()
  // In half of the cases, the server needs a new file of the log at once.
  if (variant < 0.5)
    await asAdmin(url, (admin) => admin.query('SELECT pg_switch_wal()')).catch(() => undefined)
  await sleep(forMs)
  disk!.clear()
  for (let tries = 0; tries < 100; tries++) {
    if (await answers(url)) return
    if (server.pid === undefined || !isAlive(server.pid)) break
    await sleep(100)
  }
  server.kill9()
  await server.start()
}

const answers = (url: string): Promise<boolean> =>
  asAdmin(url, (admin) => admin.query('CREATE TEMP TABLE written AS SELECT 1')).then(
    () => true,
    () => false,
  )
