/** Completion in a real bash, by the script that the command prints. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'quantd-completion-'))
symlinkSync(join(import.meta.dirname, '../../bin/quantd.js'), join(folder, 'quantd'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The words that bash offers where the cursor is at the end of a line. */
function offered(line: string): string[] {
  const script = `source <(quantd completion bash)
COMP_WORDS=(${line.endsWith(' ') ? `${line}''` : line}) COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
$(complete -p quantd | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`
  const path = `${folder}:${dirname(process.execPath)}:${process.env.PATH}`
  const output = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env: { PATH: path } })
  return output.trim().split('\n')
}

describe('bash completes', () => {
  it('commands, and those of admin', () => {
    assert.deepEqual(offered('quantd se'), ['serve', 'selftest'])
    assert.deepEqual(offered('quantd admin set-'), ['set-tier', 'set-limits'])
  })

  it('options, and words that an option or an argument takes', () => {
    assert.deepEqual(offered('quantd admin create --t'), ['--tier'])
    assert.deepEqual(offered('quantd admin create --tier '), ['free', 'basic', 'standard', 'pro'])
    assert.deepEqual(offered('quantd admin set-tier ada@example.org s'), ['standard'])
  })

  it('nothing of its own where any text may stand, so that files are offered', () => {
    assert.deepEqual(offered('quantd backup '), [''])
    assert.deepEqual(offered('quantd admin grant 17 250 --note '), [''])
  })
})
