/** The cores of a measurement. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const UNPINNED = `
  const { unpinSelf } = await import(process.argv[1])
  unpinSelf()
  console.log((await import('node:os')).availableParallelism())`

test('a bench that was started on one core can leave it for both', { skip: cpus().length < 2 }, () => {
  const machine = join(import.meta.dirname, '../../bench/machine.ts')
  const argv = ['-c', '1', process.execPath, '--input-type=module', '--eval', UNPINNED, machine]
  assert.equal(execFileSync('taskset', argv, { encoding: 'utf8' }).trim(), '2')
})
