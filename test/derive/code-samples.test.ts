/** The samples of the reference run as they stand, against a service. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ORIGIN, samplesOf } from '../../src/derive/code-samples.ts'
import { type Described, describe } from '../../src/derive/documented-endpoints.ts'
import { pythonMethod } from '../../src/derive/forms.ts'
import { sources } from '../../src/derive/sources.ts'
import { peopleOf, useService } from '../support/people.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The requests that a guest may send and that change nothing. */
const runnable: readonly Described[] = describe(sources).filter(
  // A receipt needs the id of an earlier request.
  ({ computation, method, key, path }) =>
    computation || (method === 'GET' && key !== 'registered' && path !== '/user/receipt'),
)

// Each test sends all of them once or twice, with a key of its own.
const service = await useService({ QUANTD_IP_LIMITS: 'off' })

const environment = async () => ({
  ...process.env,
  QUANTD_API_KEY: (await peopleOf(service).person()).key,
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
  const { stdout } = await run(process.execPath, [join(folder, 'all.ts')], {
    env: await environment(),
    cwd: folder,
  })
  const results = stdout.split('—').slice(0, -1)
  assert.equal(results.length, typescript.length)
  for (const [i, result] of results.entries()) assert.match(result, /\S/, typescript[i])
}

test('with TypeScript each prints a result', () => assertRun('samples', programs('typescript')))

/** A file that a program of the console reads, with its content. */
type ReadFile = readonly [name: string, content: string]

/** The code of the console for the example of each computation: with the request in it, and with the request in a file. */
async function consoleSamples(language: string) {
  const { fileOf, sampleCode } = await import(join(root, 'src/web/console/sample-code.ts'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const common = { key: null, origin: service.url, version, table: 'loans.csv' }
  return runnable
    .filter(({ computation }) => computation)
    .flatMap(({ example, path, title }): { code: string; file: ReadFile | null }[] => {
      const form = { path, python: pythonMethod(path, title) }
      const { name, content } = fileOf(language, form)
      return [
        { code: sampleCode(language, { ...common, form, body: example.input }), file: null },
        {
          code: sampleCode(language, { ...common, form, body: null }),
          file: [name, content(example.input as object)],
        },
      ]
    })
}

/** Writes the file of each program before it runs, and gives what the programs print. */
async function outputs(
  name: string,
  language: string,
  runOne: (code: string, cwd: string) => Promise<string>,
) {
  const samples = await consoleSamples(language)
  const folder = join(service.dataDir, name)
  mkdirSync(folder)
  const printed: string[] = []
  for (const { code, file } of samples) {
    if (file !== null) writeFileSync(join(folder, file[0]), file[1])
    printed.push(await runOne(code, folder))
  }
  return printed
}

test('with curl those of the console get a success, from a file too', async () => {
  const env = await environment()
  const printed = await outputs('console-curl', 'curl', async (code, cwd) => {
    const { stdout } = await run('bash', ['-c', code], { env, cwd })
    return stdout
  })
  for (const reply of printed) assert.match(reply, /^\{"success":true,/)
})

test('with Python those of the console print a result, and name the wheel that the service has', async () => {
  const env = await environment()
  const samples = await consoleSamples('Python')
  const [, wheel] = /^# pip install (\S+)$/m.exec(samples[0].code)!
  assert.equal((await fetch(wheel)).status, 200)
  assert.match(samples[1].code, /^# The request has the table of loans.csv.$/m)
  const folder = join(service.dataDir, 'console-python')
  mkdirSync(folder)
  // One process, because each start of Python takes longer than its program.
  const programs = samples.map(({ code, file }) =>
    file === null ? code : `open(${JSON.stringify(file[0])}, "w").write(${JSON.stringify(file[1])})\n${code}`,
  )
  const { stdout } = await run('python3', ['-c', programs.join("\nprint('—')\n")], { env, cwd: folder })
  const results = stdout.split('—')
  assert.equal(results.length, samples.length)
  for (const [i, result] of results.entries()) assert.match(result, /\S/, samples[i].code)
})

test('with TypeScript those of the console print a result', async () => {
  const samples = await consoleSamples('TypeScript')
  const programs = samples.map(({ code, file }) =>
    file === null
      ? code
      : `import { writeFileSync } from 'node:fs'\nwriteFileSync('${file[0]}', ${JSON.stringify(file[1])})\n${code}`,
  )
  await assertRun('console-samples', programs)
})
