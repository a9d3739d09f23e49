/** A run of 100 pieces during which the node is killed: repeated, it charges each row once. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeProcess } from '../support/node-process.ts'
import { sqliteSql } from '../support/plain-sql.ts'
import { TEST_MASTER_KEY } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openAccount } from './account.ts'
import { lacking, python, startPython } from './python.ts'

const ROWS = 20
const PIECES = 100

test('each row is charged once where the node is killed in the middle of a run, and the run is repeated', {
  skip: lacking(),
}, async () => {
  const folder = temporaryFolder('pieces')
  const unasked: string[] = []
  const node = await nodeProcess({
    dataDir: folder,
    settings: { QUANTD_MASTER_KEY: TEST_MASTER_KEY, LOG_LEVEL: 'error' },
    onUnasked: (message) => unasked.push(message),
  })
  const sql = sqliteSql(join(folder, 'quantd.db'))
  try {
    await node.start()
    const env = await openAccount(node)
    const program = join(import.meta.dirname, 'run_of_pieces.py')
    const killed = join(folder, 'killed')
    const run = startPython([program, String(ROWS), killed], { env })
    await new Promise<void>((resolve, reject) => {
      run.child.stdout.on('data', () => resolve())
      run.child.once('exit', () => reject(new Error('the run ended before its middle')))
    })
    await node.kill9()
    writeFileSync(killed, '')
    const interrupted = await run.result
    assert.notEqual(interrupted.code, 0)
    assert.match(interrupted.stderr, /quantd\.errors\.NetworkError/)

    await node.start()
    const [paid] = await sql.query<{ credits: number }>('SELECT sum(credits) AS credits FROM audit')
    assert.ok(paid!.credits >= ROWS && paid!.credits < ROWS * PIECES, `${paid!.credits} were charged before`)
    const { code, stderr, stdout } = await python([program, String(ROWS)], { env })
    assert.equal(code, 0, stderr)
    const { spent, utility } = JSON.parse(stdout)
    assert.equal(spent, ROWS * PIECES)
    assert.equal(utility.length, ROWS * PIECES)
    assert.ok(
      utility.every((value: number, row: number) => Math.abs(value - Math.log(1 + row / 1000)) < 1e-14),
    )
    const charges = await sql.query('SELECT credits FROM audit WHERE credits > 0')
    assert.deepEqual(charges, Array(PIECES).fill({ credits: ROWS }))
    assert.deepEqual(unasked, [])
  } finally {
    await node.kill9()
    await sql.close()
  }
})
