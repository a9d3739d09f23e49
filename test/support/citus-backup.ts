/**
 * Backups of all servers of a Citus cluster with their archived logs, and their restore to one point, as
 * docs/how-to/run-on-citus.md says.
 */
import { join } from 'node:path'
import { asAdmin } from './as-admin.ts'
import { COORDINATOR, type KillableServer, runnerAs, serverOf, WORKERS } from './citus-cluster.ts'
import { isAlive } from './processes.ts'
import { until } from './until.ts'

export interface ClusterBackup {
  /** Kills all servers, deletes their data, and starts them on the same ports with that of the restore point. */
  restore(point: string): Promise<void>
}

const SERVERS = [COORDINATOR, ...WORKERS]

/** Archives the logs of all servers from now on, and copies their data. */
export async function backUp(folder: string): Promise<ClusterBackup> {
  const servers = SERVERS.map((name) => ({ name, data: join(folder, name), server: serverOf(folder, name) }))
  const asPostgres = runnerAs(servers[0].server)
  for (const { data, server } of servers) {
    await asPostgres(`mkdir ${data}-archive`)
    await onServer(server, [
      'ALTER SYSTEM SET archive_mode = on',
      `ALTER SYSTEM SET archive_command = 'cp %p ${data}-archive/%f'`,
    ])
    server.kill9()
    await server.start()
    await asPostgres(`pg_basebackup -h 127.0.0.1 -p ${server.port} -U postgres -D ${data}-backup -c fast`)
  }
  return {
    async restore(point) {
      for (const { data, server } of servers) {
        // Only complete files of the log are archived.
        await onServer(server, ['SELECT pg_switch_wal()'])
        await asPostgres(
          `until [ -z "$(ls ${data}/pg_wal/archive_status/*.ready 2>/dev/null)" ]; do sleep 0.1; done`,
        )
      }
      for (const { server } of servers) {
        const { pid } = server
        server.kill9()
        // A killed server keeps its socket until it is reaped.
        await until(() => !isAlive(pid), 'the killed server was reaped')
      }
      for (const { data } of servers) {
        const settings = [
          `restore_command = 'cp ${data}-archive/%f %p'`,
          `recovery_target_name = '${point}'`,
          `recovery_target_action = 'promote'`,
          // No session may read before the restore point is reached.
          'hot_standby = off',
        ]
        await asPostgres(`rm -rf ${data}`)
        await asPostgres(`mv ${data}-backup ${data}`)
        await asPostgres(`tee -a ${data}/postgresql.auto.conf <<'END'\n${settings.join('\n')}\nEND`)
        await asPostgres(`touch ${data}/recovery.signal`)
        await asPostgres(`pg_ctl -D ${data} -l ${data}.log -w -t 120 start`)
      }
      for (const { name, server } of servers)
        await until(
          () =>
            onServer(server, []).then(
              () => true,
              () => false,
            ),
          `${name} has reached the point`,
        )
    },
  }
}

const onServer = ({ port }: KillableServer, statements: readonly string[]) =>
  asAdmin(`postgres://postgres@127.0.0.1:${port}/postgres`, async (admin) => {
    for (const statement of statements) await admin.query(statement)
  })
