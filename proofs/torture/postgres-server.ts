/** A PostgreSQL of the run's own. Its starter is a development tool: it is loaded only where it is installed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../src/config.ts'

export interface PostgresServer {
  readonly url: string
  kill9(): void
  start(): Promise<void>
  stop(): Promise<void>
}

const STARTER = join(import.meta.dirname, '../../test/postgres.ts')

/** Throws ConfigError where the development packages are not installed. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const missing = new ConfigError(
    'Torture on PostgreSQL starts a server out of the development packages, which are not installed here: run it in a checkout after `npm install`, or take --database sqlite.',
  )
  if (!existsSync(STARTER)) throw missing
  const starter = (await import(STARTER)) as { startPostgres(): Promise<PostgresServer> }
  return await starter.startPostgres().catch((error) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? missing : error
  })
}
