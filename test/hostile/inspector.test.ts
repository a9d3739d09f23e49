/** No signal opens an inspector, through which the master key could be read from memory. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFlags } from '../../scripts/run-node.js'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

/** The standard error of Node, started with these flags, after SIGUSR1 and one second, or as soon as it says something. */
async function outputOnSignal(flags: readonly string[], isExpected: boolean): Promise<string> {
  const script = "process.stdout.write('up'); setTimeout(() => undefined, 600_000)"
  const child = spawn(process.execPath, [...flags, '--inspect-port=0', '--eval', script])
  let output = ''
  child.stderr.on('data', (piece) => {
    output += piece
  })
  await once(child.stdout, 'data')
  child.kill('SIGUSR1')
  if (isExpected) await until(() => output !== '', 'Node says something')
  else await Promise.race([once(child.stderr, 'data'), once(child, 'exit'), sleep(1_000)])
  child.kill('SIGKILL')
  return output
}

test('SIGUSR1 opens none in the launcher, which stays the parent of the service', async () => {
  const dataDir = temporaryFolder('inspector')
  const settings = { PORT: '0', METRICS_PORT: '0', QUANTD_DATA_DIR: dataDir }
  const launcher = spawn(process.execPath, ['--inspect-port=0', 'bin/quantd.js', 'serve'], {
    env: { PATH: process.env.PATH, ...settings },
  })
  const output = { out: '', err: '' }
  launcher.stdout.on('data', (piece) => {
    output.out += piece
  })
  launcher.stderr.on('data', (piece) => {
    output.err += piece
  })
  await until(() => output.out.includes('listens on'), 'the service listens')
  launcher.kill('SIGUSR1')
  await sleep(500)
  launcher.kill('SIGTERM')
  await once(launcher, 'close')
  assert.equal(output.err, '')
})

test('SIGUSR1 opens an inspector in plain Node, and none in Node with the flags of the service', async () => {
  assert.match(await outputOnSignal([], true), /Debugger listening/)
  assert.equal(await outputOnSignal(nodeFlags, false), '')
})
