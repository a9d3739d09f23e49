/** The documents about Python: their code runs on a service, and they name every method. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '../../clients/typescript/index.ts'
import { peopleOf, useService } from '../support/people.ts'
import { lacking, python } from './python.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/use-python.md'), 'utf8')
const readme = readFileSync(join(import.meta.dirname, '../../clients/python/README.md'), 'utf8')
const blocks = (text: string) => [...text.matchAll(/^```python\n([\s\S]*?)^```/gm)].map(([, code]) => code!)

const service = await useService()

test('the code of docs/how-to/use-python.md runs from top to bottom', {
  skip: lacking('pandas'),
}, async () => {
  const code = blocks(page)
  assert.ok(code.length >= 5)
  const {
    code: exit,
    stderr,
    stdout,
  } = await python(['-c', code.join('\n')], {
    env: { QUANTD_URL: service.url },
  })
  assert.equal(exit, 0, stderr)
  assert.match(stdout, /^c110 +110 +call +2\.611902 /m)
  assert.match(stdout, /1 of 4 rows, at 2, has a missing value/)
  assert.match(stdout, /option_type must be/)
})

test('the code of the README of the package runs', { skip: lacking() }, async () => {
  const [code] = blocks(readme)
  const {
    code: exit,
    stderr,
    stdout,
  } = await python(['-c', code!.replace('http://127.0.0.1:8080', service.url)])
  assert.equal(exit, 0, stderr)
  assert.ok(Number(stdout) > 0)
})

test('the code of the guide to team keys runs: the owner in TypeScript and Python, the user of the key in Python', {
  skip: lacking(),
}, async () => {
  const guide = readFileSync(
    join(import.meta.dirname, '../../docs/how-to/give-a-team-its-own-keys.md'),
    'utf8',
  )
  const [source] = [...guide.matchAll(/^```ts\nimport .*\n([\s\S]*?)^```/gm)].map(([, code]) => code!)
  const { key: apiKey } = await peopleOf(service).person()
  const printed: unknown[] = []
  const run = new Function(
    ...['createClient', 'console'],
    `return (async () => { ${stripTypeScriptTypes(source!)}; return { key, next } })()`,
  )
  const { key, next } = await run(() => createClient({ baseUrl: service.url, apiKey }), {
    log: (text: unknown) => printed.push(text),
  })
  assert.deepEqual(printed, [['pricing notebook: 0 of 1000']])
  const [, ownerCode] = /^```python owner\n([\s\S]*?)^```/m.exec(guide)!
  const owner = await python(['-c', ownerCode!], { env: { QUANTD_URL: service.url, QUANTD_API_KEY: apiKey } })
  assert.equal(owner.code, 0, owner.stderr)
  assert.equal(owner.stdout, 'pricing notebook: 0 of 1000\n'.repeat(2))
  assert.notEqual(next.key, key)
  const { code, stderr, stdout } = await python(['-c', blocks(guide).join('\n')], {
    env: { QUANTD_URL: service.url, QUANTD_API_KEY: key },
  })
  assert.equal(code, 0, stderr)
  assert.equal(stdout, '1000\n')
})

test('docs/how-to/use-python.md names every computation', { skip: lacking() }, async () => {
  const script =
    'from quantd.computations import Computations as C; print(*[n for n in vars(C) if n[0] != "_"], sep="\\n")'
  const { stdout } = await python(['-c', script])
  const methods = stdout.trim().split('\n')
  assert.ok(methods.length >= 11)
  assert.deepEqual(
    [...methods, 'batch'].filter((name) => !page.includes(`\`${name}`)),
    [],
  )
})
