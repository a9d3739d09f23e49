/**
 * A PostgreSQL of two members under Patroni, with a synchronous standby, Patroni's lock in etcd, and HAProxy in front; all on
 * loopback.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'
import { killAllIn } from '../../support/processes.ts'
import {
  ownedFolder,
  POSTGRES_BIN,
  PROGRAMS,
  type Program,
  refuseMissing,
  start,
} from '../../support/programs.ts'

export interface Patroni {
  /** The address, as superuser, with both members as hosts. */
  readonly hostsUrl: string
  /** The address, as superuser, of HAProxy, which asks Patroni where the primary is. */
  readonly proxyUrl: string
  /** The member that is the primary; null while there is none. */
  primary(): Promise<Member | null>
  /** Resolves when one member is the primary and the other streams from it. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export interface Member {
  readonly name: string
  /** Kills it and its Patroni at once, as a power failure would; resolves when its data are deleted. */
  destroy(): Promise<void>
  /** Starts it again: Patroni makes a new standby. */
  start(): void
}

/** Seconds. The defaults are 30, 10 and 10; the leader's lock must outlast a round of Patroni on a busy machine. */
const LOCK = { ttl: 6, loop_wait: 1, retry_timeout: 2 }
const SETTLED_MS = 120_000
const PASSWORD = 'failover'

export async function startPatroni(): Promise<Patroni> {
  refuseMissing(['etcd', 'patroni', 'haproxy', 'postgres'])
  const folder = ownedFolder(mkdtempSync(join(tmpdir(), 'quantd-failover-')))
  chmodSync(folder, 0o755)
  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()]
  const etcd = start(folder, 'etcd', PROGRAMS.etcd.file, etcdArgs(folder, etcdPort, peerPort))
  const members: OwnMember[] = []
  for (const name of ['pg1', 'pg2']) members.push(await memberOf(folder, name, etcdPort))
  const haproxy = start(folder, 'haproxy', PROGRAMS.haproxy.file, [
    '-db',
    '-f',
    haproxyFile(folder, proxyPort, members),
  ])
  const abandon = () => {
    // A member that has just been started again may be copying the other's data.
    killAllIn(folder)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', abandon)
  const patroni: Patroni = {
    hostsUrl: url(
      members.map(({ port }) => `127.0.0.1:${port}`).join(','),
      '?target_session_attrs=read-write',
    ),
    proxyUrl: url(`127.0.0.1:${proxyPort}`),
    async primary() {
      for (const member of members) if (await member.is('primary')) return member
      return null
    },
    async settled() {
      const deadline = performance.now() + SETTLED_MS
      const roles = () =>
        Promise.all(members.map(async (one) => [await one.is('primary'), await one.is('synchronous')]))
      for (;;) {
        const found = await roles()
        if (found.some(([isPrimary]) => isPrimary) && found.some(([, isStandby]) => isStandby)) return
        if (performance.now() > deadline)
          throw new Error(`Patroni has no standby:\n${members.map((member) => member.log()).join('\n')}`)
        await sleep(100)
      }
    },
    async stop() {
      process.off('exit', abandon)
      await Promise.all([haproxy.end('SIGKILL'), etcd.end('SIGKILL')])
      abandon()
    },
  }
  // The first becomes the primary, which the second copies.
  members[0].start()
  try {
    const deadline = performance.now() + SETTLED_MS
    while ((await patroni.primary()) === null) {
      if (performance.now() > deadline)
        throw new Error(`Patroni did not start:\n${etcd.log()}${members[0].log()}`)
      await sleep(100)
    }
    members[1].start()
    await patroni.settled()
  } catch (error) {
    await patroni.stop()
    throw error
  }
  return patroni
}

const url = (hosts: string, parameters = ''): string =>
  `postgres://postgres:${PASSWORD}@${hosts}/postgres${parameters}`

function etcdArgs(folder: string, port: number, peerPort: number): string[] {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  return Object.entries({
    name: 'one',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `one=${peer}`,
  }).flatMap(([name, value]) => [`--${name}`, value])
}

interface OwnMember extends Member {
  readonly port: number
  readonly restPort: number
  is(role: 'primary' | 'synchronous'): Promise<boolean>
  log(): string
}

async function memberOf(folder: string, name: string, etcdPort: number): Promise<OwnMember> {
  const [port, restPort] = [await freePort(), await freePort()]
  const data = join(folder, name)
  const file = join(folder, `${name}.yml`)
  // YAML includes JSON.
  writeFileSync(file, JSON.stringify(settingsOf(folder, name, { port, restPort, etcdPort, data })))
  chmodSync(file, 0o644)
  let program: Program | null = null
  return {
    name,
    port,
    restPort,
    log: () => program?.log() ?? '',
    is: (role) =>
      fetch(`http://127.0.0.1:${restPort}/${role}`, { signal: AbortSignal.timeout(1_000) })
        .then(async (response) => {
          await response.arrayBuffer()
          return response.ok
        })
        .catch(() => false),
    async destroy() {
      // Patroni must not see its server end.
      program?.child.kill('SIGKILL')
      killAllIn(data)
      await program?.end('SIGKILL')
      await rm(data, { recursive: true, force: true })
    },
    start() {
      program = start(folder, `patroni-${name}`, PROGRAMS.patroni.file, [file])
    },
  }
}

function settingsOf(
  folder: string,
  name: string,
  ports: { port: number; restPort: number; etcdPort: number; data: string },
) {
  const { data, etcdPort, port, restPort } = ports
  const rest = `127.0.0.1:${restPort}`
  return {
    scope: 'quantd',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...LOCK,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: false,
          parameters: { max_connections: 100, shared_buffers: '64MB', synchronous_commit: 'on', fsync: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: POSTGRES_BIN,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
      },
      parameters: { unix_socket_directories: '' },
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
      basebackup: { checkpoint: 'fast' },
    },
    watchdog: { mode: 'off' },
  }
}

/** The configuration in docs/how-to/run-on-postgresql.md: it ends the sessions of a server that is no longer the primary. */
function haproxyFile(folder: string, port: number, members: readonly OwnMember[]): string {
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 3s
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map((one) => `  server ${one.name} 127.0.0.1:${one.port} check port ${one.restPort}`).join('\n')}
`,
  )
  chmodSync(file, 0o644)
  return file
}
