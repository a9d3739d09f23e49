/** A Citus cluster whose servers reach each other, and are reached, through proxies that can cut connections. */
import { randomBytes } from 'node:crypto'
import { asAdmin } from './as-admin.ts'
import { COORDINATOR, type KillableServer, serverOf, WORKERS } from './citus-cluster.ts'
import { joinCluster } from './citus-database.ts'
import { type CommitProxy, openCommitProxy } from './commit-proxy.ts'

/** A server, and the proxy by which the nodes and the other servers reach it. */
export interface ProxiedServer {
  readonly server: KillableServer
  readonly proxy: CommitProxy
}

export interface ProxiedCitus {
  /** The address of the coordinator through its proxy. */
  readonly nodeUrl: string
  /** The address of the coordinator itself. */
  readonly url: string
  readonly coordinator: ProxiedServer
  readonly workers: readonly ProxiedServer[]
  close(): void
}

/** Makes a database of a cluster whose servers know each other by the addresses of proxies. */
export async function openBehindProxies(folder: string): Promise<ProxiedCitus> {
  const [coordinator, ...workers] = await Promise.all([COORDINATOR, ...WORKERS].map(serverIn(folder)))
  const name = `cut_${randomBytes(4).toString('hex')}`
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
