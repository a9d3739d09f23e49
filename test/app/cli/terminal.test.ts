/** The command on a real terminal, and with an output that takes nothing. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { compileCache } from '../../../scripts/run-node.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder('terminal')
const program = join(import.meta.dirname, '../../../src/app/quantd.ts')
const env = {
  ...compileCache,
  PATH: process.env.PATH,
  QUANTD_DATA_DIR: folder,
  NODE: process.execPath,
  PROGRAM: program,
}

before(() => {
  execFileSync(process.execPath, [program, 'admin', 'create', 'ada@example.org'], { env })
})

describe('a command on a terminal', () => {
  for (const [name, sign, end, exitCode] of [
    ['Ctrl-C', '\x03', /go ahead: \^C$/, 130],
    ['Ctrl-D', '\x04', /\r\nquantd: Nothing was changed\.\r\n$/, 1],
  ] as const)
    it(`changes nothing after ${name} at a question`, async () => {
      const line = '"$NODE" "$PROGRAM" admin delete-account 1'
      const child = spawn('script', ['-qec', line, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
      let shown = ''
      child.stdout.on('data', (bytes) => {
        const wasAsked = shown.includes('go ahead: ')
        shown += bytes
        if (!wasAsked && shown.includes('go ahead: ')) child.stdin.write(sign)
      })
      const [code] = await once(child, 'close')
      assert.match(shown, end)
      assert.equal(code, exitCode)
    })

  it('says in one line that its output cannot be written', () => {
    const { status, stderr } = spawnSync('sh', ['-c', '"$NODE" "$PROGRAM" admin show 1 > /dev/full'], { env })
    assert.equal(
      String(stderr),
      'quantd: The output cannot be written: ENOSPC: no space left on device, write.\n',
    )
    assert.equal(status, 1)
  })
})
