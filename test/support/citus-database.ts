/** Databases of a Citus cluster. Citus knows a cluster per database: each is made on every server, and they are joined. */
import type pg from 'pg'
import { asAdmin } from './as-admin.ts'

export interface CitusServer {
  readonly host: string
  readonly port: number
}

/** A database with the tables of the service; copying it is faster than migrating, and on Citus distributing, anew. */
export const TEMPLATE = 'migrated'

/** The clause of CREATE DATABASE that copies the template, or no clause where the server has no template. */
export async function copyOfTemplate(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query('select 1 from pg_database where datname = $1', [TEMPLATE])
  return rows.length === 0 ? '' : `template ${TEMPLATE}`
}

/** The workers of the cluster whose coordinator the server is; none for a server outside a cluster. */
export async function workersOf(admin: pg.Client): Promise<CitusServer[]> {
  const { rows } = await admin.query("select 1 from pg_extension where extname = 'citus'")
  if (rows.length === 0) return []
  const found = await admin.query(
    'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by groupid',
  )
  return found.rows
}

/** The same database on another server. */
export function onServer(url: string, { host, port }: CitusServer, database?: string): string {
  const other = new URL(url)
  other.hostname = host
  other.port = String(port)
  if (database !== undefined) other.pathname = `/${database}`
  return other.href
}

/**
 * Makes a database on the coordinator and on the workers.
 * @param url of the database to be made, on the coordinator
 * @param isEmpty no copy of the template
 */
export async function createOnCluster(
  url: string,
  workers: readonly CitusServer[],
  isEmpty: boolean,
): Promise<void> {
  const name = nameOf(url)
  const coordinator = onCoordinator(url)
  const copy = isEmpty ? '' : await asAdmin(coordinator, copyOfTemplate)
  if (copy === '') {
    await asAdmin(coordinator, (admin) => admin.query(`create database ${name}`))
    await joinCluster(url, workers)
    return
  }
  const everywhere = [coordinator, ...workers.map((worker) => onServer(url, worker, 'postgres'))]
  await Promise.all(
    everywhere.map((server) => asAdmin(server, (admin) => admin.query(`create database ${name} ${copy}`))),
  )
  await adjust(url)
}

/** Makes a database of the coordinator a database of the whole cluster. */
export async function joinCluster(url: string, workers: readonly CitusServer[]): Promise<void> {
  const name = nameOf(url)
  await Promise.all(
    workers.map(async (worker) => {
      await asAdmin(onServer(url, worker, 'postgres'), (admin) => admin.query(`create database ${name}`))
      await asAdmin(onServer(url, worker), (admin) => admin.query('create extension citus'))
    }),
  )
  const { hostname, port } = new URL(url)
  await asAdmin(url, async (admin) => {
    await admin.query('create extension citus')
    await admin.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
    for (const worker of workers)
      await admin.query('select citus_add_node($1, $2)', [worker.host, worker.port])
  })
  await adjust(url)
}

/** Sets a small number of shards, which is enough for tests. */
const adjust = (url: string) =>
  asAdmin(url, async (admin) => {
    await admin.query(`alter database ${nameOf(url)} set citus.shard_count = 4`)
  })

/** Makes a database the template of later ones; nothing may use it afterwards. */
export async function useAsTemplate(url: string, workers: readonly CitusServer[]): Promise<void> {
  const name = nameOf(url)
  const everywhere = [onCoordinator(url), ...workers.map((worker) => onServer(url, worker, 'postgres'))]
  for (const server of everywhere)
    await asAdmin(server, async (admin) => {
      await admin.query(`alter database ${name} allow_connections false`)
      // Citus' own sessions; their end is waited for, since a database in use cannot be copied or renamed.
      await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
        name,
      ])
      await admin.query(`alter database ${name} rename to ${TEMPLATE}`)
    })
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

const onCoordinator = (url: string): string => {
  const { hostname, port } = new URL(url)
  return onServer(url, { host: hostname, port: Number(port) }, 'postgres')
}
