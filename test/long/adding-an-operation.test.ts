/** docs/adding-an-operation.md, followed to the letter in a copy of the project, ends with passing checks. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { hasExactPython } from '../support/exact-python.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/adding-an-operation.md'), 'utf8')
const folder = temporaryFolder('docs')
const copy = join(folder, 'quantd')

/** Folders that are not part of a checkout, or are too large to copy. */
const LEFT_OUT = ['node_modules', '.git', 'build', 'data', 'test-results'].map((name) => join(root, name))

/** A fenced block: its language, the file that it is about (empty for commands), and its text. */
const blocks = [...page.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, language, file, text]) => ({
  language: language!,
  file: file!,
  text: text!,
}))

/** Output is passed on as it arrives: the test runner ends a file that is silent for minutes. */
async function run(command: string): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn('sh', ['-c', `${command} 2>&1`], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
    process.stdout.write(chunk)
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0, `${command}\n${output}`)
  return output
}

/** The commands take some 20 s on an idle machine with two cores. */
const TIMEOUT_MS = 600_000

test('the page’s four files and commands make a new operation that passes every check', {
  timeout: TIMEOUT_MS,
  skip: !hasExactPython() && 'needs python3-gmpy2',
}, async () => {
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.includes(path) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const written = blocks.filter(({ file }) => file !== '')
  assert.equal(written.length, 4)
  for (const { file, text } of written) {
    const path = join(copy, file)
    mkdirSync(dirname(path), { recursive: true })
    assert.ok(!existsSync(path), `${file} is new`)
    writeFileSync(path, text)
  }
  const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'))
  assert.ok(commands.includes('npm run generate') && commands.includes('npm run format'))
  const output = []
  for (const command of commands.filter((line) => line !== '')) output.push(await run(command))

  assert.match(output.at(-1)!, /(\d+) passed, 0 failed\s*$/)
  for (const [file, mention] of [
    ['openapi.json', '"/quantlib/economics/utility/power"'],
    ['README.md', '| Power utility |'],
    ['docs/accuracy.md', '| power_utility | near_one | 2 |'],
    ['docs/accuracy.md', '| Power utility | wealth 5e-324…1.8e308'],
    ['docs/how-to/use-python.md', '| `power_utility` | rows | one column |'],
  ] as const)
    assert.ok(readFileSync(join(copy, file), 'utf8').includes(mention), file)
})
