/** A signal opens no inspector: through it the master key could be read out of the memory. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFlags } from '../../scripts/launch.js'

/** The output of Node after SIGUSR1, when started with these flags. */
async function saidOnSignal(flags: readonly string[]): Promise<string> {
  const script = "process.stdout.write('up'); setTimeout(() => undefined, 5000)"
  const child = spawn(process.execPath, [...flags, '--inspect-port=0', '--eval', script])
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  await once(child.stdout, 'data')
  child.kill('SIGUSR1')
  await Promise.race([once(child.stderr, 'data'), once(child, 'exit'), sleep(1_000)])
  child.kill('SIGKILL')
  return said
}

test('SIGUSR1 opens an inspector in Node as it is, and none as the service is started', async () => {
  assert.match(await saidOnSignal([]), /Debugger listening/)
  assert.equal(await saidOnSignal(nodeFlags), '')
})
