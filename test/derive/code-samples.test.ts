/** The samples of the reference run as they stand, against a service. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ORIGIN, samplesOf } from '../../src/derive/code-samples.ts'
import { type Described, describe } from '../../src/derive/documented-endpoints.ts'
import { sources } from '../../src/derive/sources.ts'
import { useService } from '../support/people.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The requests that a guest may send and that change nothing. */
const runnable: readonly Described[] = describe(sources).filter(
  // A receipt needs the id of an earlier request.
  ({ computation, method, key, path }) =>
    computation || (method === 'GET' && key !== 'registered' && path !== '/user/receipt'),
)

// A guest sends all of them once.
const service = await useService({ QUANTD_IP_LIMITS: 'off', QUANTD_INITIAL_CREDITS: 'guest=500' })

const environment = async () => ({
  ...process.env,
  QUANTD_API_KEY: await service.guest(),
  PYTHONPATH: join(root, 'clients/python'),
})

/** The samples of one language, with the address of the service. */
const programs = (language: 'curl' | 'python' | 'typescript') =>
  runnable.map((one) => samplesOf(one)[language].replaceAll(ORIGIN, service.url))

test('with curl each gets the documented status and a success', async () => {
  const { stdout } = await run('bash', ['-c', programs('curl').join('\necho\n')], {
    env: await environment(),
  })
  const replies = stdout.trim().split('\n')
  assert.equal(replies.length, runnable.length)
  for (const [i, reply] of replies.entries())
    assert.match(reply, /^\{"success":true,/, `${runnable[i].path}: ${reply}`)
})

test('with Python each prints a result', async () => {
  const text = programs('python').join("\nprint('—')\n")
  const { stdout } = await run('python3', ['-c', text], { env: await environment() })
  const results = stdout.split('—')
  assert.equal(results.length, runnable.length)
  for (const [i, result] of results.entries()) assert.match(result, /\S/, runnable[i].path)
})

/** Runs programs one after another in a process; each prints a result. */
async function assertRun(name: string, typescript: readonly string[]): Promise<void> {
  const folder = join(service.dataDir, name)
  const client = join(root, 'clients/typescript/index.ts')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const [i, program] of typescript.entries())
    writeFileSync(join(folder, `sample-${i}.ts`), program.replace("'quantd-client'", `'${client}'`))
  const all = typescript.map((_, i) => `await import('./sample-${i}.ts')\nconsole.log('—')\n`)
  writeFileSync(join(folder, 'all.ts'), all.join(''))
  const { stdout } = await run(process.execPath, [join(folder, 'all.ts')], { env: await environment() })
  const results = stdout.split('—').slice(0, -1)
  assert.equal(results.length, typescript.length)
  for (const [i, result] of results.entries()) assert.match(result, /\S/, typescript[i])
}

test('with TypeScript each prints a result', () => assertRun('samples', programs('typescript')))

test('with TypeScript those of the console print a result', async () => {
  const { sampleCode } = await import(join(root, 'src/web/console/sample-code.ts'))
  const computations = runnable.filter(({ computation }) => computation)
  const typescript = computations.map(({ example, path }) =>
    sampleCode('TypeScript', { form: { path }, key: null, body: example.input, origin: service.url }),
  )
  await assertRun('console-samples', typescript)
})
