/** A shell script can run a whole life of an account, by exit codes and JSON alone. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

test('an account is made, shown, paid, promoted, suspended, limited, proven, exported and deleted by a script', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quantd-life-'))
  const file = (path: string) => join(import.meta.dirname, path)
  try {
    const { status, stderr, stdout } = spawnSync(
      'sh',
      [file('life-of-an-account.sh'), file('../../bin/quantd.js')],
      {
        encoding: 'utf8',
        // Nothing to ask: a script has no terminal.
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, QUANTD_DATA_DIR: dataDir },
      },
    )
    assert.deepEqual([status, stdout], [0, 'ok\n'], stderr)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
