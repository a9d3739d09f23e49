/** A registered account with many credits on a service, made by the command line. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { compileCache } from '../../scripts/run-node.js'
import { TEST_MASTER_KEY } from '../support/service.ts'

const CLI = join(import.meta.dirname, '../../src/cli.ts')

/** The environment of a Python process that works with a new account of type pro. */
export function openAccount(
  service: { readonly url: string; readonly dataDir: string },
  { credits = 1_000_000, email = 'ada@example.org' } = {},
): Readonly<Record<string, string>> {
  const create = ['admin', 'create', '--json', '--tier', 'pro', '--credits', String(credits), email]
  const printed = execFileSync(process.execPath, [CLI, ...create], {
    encoding: 'utf8',
    env: { ...compileCache, QUANTD_DATA_DIR: service.dataDir, QUANTD_MASTER_KEY: TEST_MASTER_KEY },
  })
  return { QUANTD_URL: service.url, QUANTD_API_KEY: JSON.parse(printed).api_key }
}
