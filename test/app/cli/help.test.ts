/** Help starts at once: it loads neither the database's libraries nor the schemas. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

const CLI = join(import.meta.dirname, '../../../src/app/quantd.ts')
/** Writes the address of each loaded module to standard error. */
const TELL = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => { console.error(url); return next(url, context) } })`

/** The packages that a command line loads, and its output. */
async function loadedBy(...args: string[]): Promise<{ packages: Set<string>; stdout: string }> {
  const { stderr, stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(TELL)}`,
    CLI,
    ...args,
  ])
  const packages = [...stderr.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(([, name]) => name!)
  return { packages: new Set(packages), stdout }
}

describe('the help', () => {
  for (const args of [[], ['serve'], ['mcp'], ['backup'], ['move']])
    it(`of "${['quantd', ...args].join(' ')}" loads no database and no schema`, async () => {
      const { packages, stdout } = await loadedBy(...args, '--help')
      assert.match(stdout, /^Usage: /)
      assert.ok(packages.has('commander'))
      for (const heavy of ['kysely', 'pg', 'typebox', 'pino']) assert.ok(!packages.has(heavy), heavy)
    })

  it('of "quantd serve" lists every setting, and that of "quantd" promises none', async () => {
    const { stdout } = await loadedBy('serve', '--help')
    assert.match(stdout, /settings are environment variables/)
    assert.match(stdout, /^#QUANTD_DATA_DIR=/m)
    const all = await loadedBy('--help')
    assert.match(all.stdout, /serve +Start the service\.\n/)
  })
})
