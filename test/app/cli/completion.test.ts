/** Completion in a real bash, by the script that the command prints. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The words that bash offers where the cursor is at the end of a line. */
const OFFERED = {
  'quantd se': 'serve selftest',
  'quantd admin set-': 'set-tier set-limits',
  'quantd admin create --t': '--tier',
  'quantd admin create --tier ': 'free basic standard pro',
  'quantd admin set-tier ada@example.org s': 'standard',
  // Any text may stand there: bash offers files.
  'quantd backup ': '',
  'quantd admin grant 17 250 --note ': '',
}

test('bash completes commands, options and the words that these take, and nothing where any text may stand', () => {
  const folder = temporaryFolder('completion')
  symlinkSync(join(import.meta.dirname, '../../../bin/quantd.js'), join(folder, 'quantd'))
  const lines = Object.keys(OFFERED).map(
    (line) => `
COMPREPLY=() COMP_WORDS=(${line.endsWith(' ') ? `${line}''` : line}) COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
$complete; echo "\${COMPREPLY[*]}"`,
  )
  const script = `source <(quantd completion bash)
complete=$(complete -p quantd | sed 's/.*-F \\([^ ]*\\).*/\\1/')${lines.join('')}`
  const PATH = `${folder}:${dirname(process.execPath)}:${process.env.PATH}`
  const output = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env: { PATH } })
  assert.deepEqual(output.split('\n').slice(0, -1), Object.values(OFFERED))
})
