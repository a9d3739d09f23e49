/** One service per data folder: a second one is refused at its start, the command line is not. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { environmentOf, nodeProcess } from '../../support/node-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const dataDir = temporaryFolder('folder')
const unasked: string[] = []
const node = await nodeProcess({
  dataDir,
  settings: { QUANTD_COMPUTE_THREADS: '1' },
  onUnasked: (message) => unasked.push(message),
})
await node.start()
after(() => node.kill9())

async function quantd(args: readonly string[], input = ''): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, ['src/app/quantd.ts', ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: environmentOf(dataDir),
  })
  child.stdin.end(input)
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, err }
}

describe('a data folder that a running service uses', () => {
  it('refuses a second service with one line that names the first', async () => {
    const { code, err } = await quantd(['serve'])
    assert.equal(code, 1)
    assert.equal(
      err,
      `quantd: The data folder ${dataDir} is in use by process ${node.pid}: stop that service, or set QUANTD_DATA_DIR to a folder of its own.\n`,
    )
  })

  it('is open to the command line', async () => {
    assert.deepEqual(await quantd(['admin', 'list']), { code: 0, err: '' })
    assert.deepEqual(await quantd(['backup', join(dataDir, 'copy.db')]), { code: 0, err: '' })
  })

  it('is open to scripts, which tell faults by the exit code and give passwords by standard input', async () => {
    const create = ['admin', 'create', 'ada@example.org', '--password-stdin']
    const codes: (number | null)[] = []
    for (const password of ['short', 'correct horse battery staple', 'correct horse battery staple'])
      codes.push((await quantd(create, `${password}\n`)).code)
    assert.deepEqual(codes, [2, 0, 1])
  })

  it('is free as soon as the service is killed', async () => {
    await node.kill9()
    await node.start()
    assert.deepEqual(unasked, [])
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.startsWith('service')),
      ['service.lock'],
    )
  })
})
