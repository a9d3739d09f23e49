/** The commands of tutorials and how-to guides run as written, and print what the pages show. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { useService } from '../support/people.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const ORIGIN = 'http://127.0.0.1:8080'

interface Block {
  readonly language: string
  readonly text: string
}

const service = await useService()
const folder = temporaryFolder('documents')

const pageOf = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8')

const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }))

/** The shell blocks as one script that names each block before its output. */
const scriptOf = (blocks: readonly Block[]): string =>
  blocks
    .flatMap(({ language, text }, index) => (language === 'sh' ? [`printf '\\n@@${index}\\n'`, text] : []))
    .join('\n')
    .replaceAll(ORIGIN, service.url)

async function run(script: string, env: Record<string, string> = {}): Promise<Map<number, string>> {
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  const parts = stdout.split(/\n@@(\d+)\n/).slice(1)
  return new Map(parts.flatMap((part, index) => (index % 2 === 0 ? [[Number(part), parts[index + 1]]] : [])))
}

const GUEST_KEY = blocksOf(pageOf('tutorials/first-price.md')).find(({ text }) => text.startsWith('KEY='))!

for (const { name, outputs } of [
  { name: 'tutorials/first-price.md', outputs: 5 },
  { name: 'tutorials/validate-a-scorecard.md', outputs: 3 },
  { name: 'how-to/prepare-a-table.md', outputs: 1 },
  { name: 'how-to/choose-a-request.md', outputs: 2 },
])
  test(`the commands of ${name} print what the page shows`, async () => {
    const blocks = [GUEST_KEY, ...blocksOf(pageOf(name))]
    const printed = await run(scriptOf(blocks))
    const shown = blocks.flatMap(({ language, text }, index) =>
      ['json', 'text'].includes(language) ? [{ at: index - 1, text }] : [],
    )
    assert.equal(shown.length, outputs)
    for (const { at, text } of shown)
      assert.equal(printed.get(at)!.trimEnd(), text.trimEnd(), blocks[at].text)
  })

/** `quantd` and its data in the folder of the test. */
const asOperator = () => ({
  start: `quantd() { '${process.execPath}' '${join(root, 'bin/quantd.js')}' "$@"; }\n`,
  env: { QUANTD_DATA_DIR: join(folder, 'operator') },
})

test('the nightly script copies a SQLite database and checks, and its copy passes the drill', async () => {
  const { env, start } = asOperator()
  const script = readFileSync(join(root, 'deploy/systemd/nightly.sh'), 'utf8')
  const backups = join(folder, 'backups')
  const nightly = script.replaceAll('/var/lib/quantd-backups', backups)
  await run(`${start}quantd admin create grace@example.org > /dev/null\n${nightly}`, env)
  for (const name of readdirSync(backups)) assert.equal(statSync(join(backups, name)).mode & 0o077, 0, name)
  const digest = await run(
    `${start}printf '\\n@@0\\n'\ncat '${backups}'/*.check.json\nmkdir drill\ncp '${backups}'/*.db drill/quantd.db
    cp operator/master.key drill\nprintf '\\n@@1\\n'\nQUANTD_DATA_DIR=drill quantd admin verify-ledger --json`,
    env,
  )
  const [night, drill] = [0, 1].map((block) => JSON.parse(digest.get(block)!))
  assert.match(night.digest, /^[0-9a-f]{8,}$/)
  assert.equal(drill.digest, night.digest)
})
