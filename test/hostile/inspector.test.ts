/** No signal opens an inspector, through which the master key could be read from memory. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFlags } from '../../scripts/run-node.js'

/** The standard error of Node, started with these flags, after SIGUSR1. */
async function outputOnSignal(flags: readonly string[]): Promise<string> {
  const script = "process.stdout.write('up'); setTimeout(() => undefined, 5000)"
  const child = spawn(process.execPath, [...flags, '--inspect-port=0', '--eval', script])
  let output = ''
  child.stderr.on('data', (piece) => {
    output += piece
  })
  await once(child.stdout, 'data')
  child.kill('SIGUSR1')
  await Promise.race([once(child.stderr, 'data'), once(child, 'exit'), sleep(1_000)])
  child.kill('SIGKILL')
  return output
}

test('SIGUSR1 opens an inspector in plain Node, and none in Node with the flags of the service', async () => {
  assert.match(await outputOnSignal([]), /Debugger listening/)
  assert.equal(await outputOnSignal(nodeFlags), '')
})
