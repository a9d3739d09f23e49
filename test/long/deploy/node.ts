/** Nodes of the service in processes of their own, on the loopback interface. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeFlags } from '../../../scripts/run-node.js'
import { freePort } from '../../support/free-port.ts'
import { TEST_MASTER_KEY } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { attempt, root } from './command.ts'

export interface NodeProcess {
  readonly port: number
  readonly url: string
  readonly pid: number
  /** Sends SIGTERM and returns the exit code; the data folder stays. */
  stop(): Promise<number | null>
  /** Starts again after stop(), on the same port and data folder. */
  start(): Promise<void>
  /** Stops and removes the data folder. */
  remove(): Promise<void>
  /** Runs `quantd …` with the settings of this node; returns its standard output. */
  quantd(...args: string[]): string
}

export async function startNode(settings: Record<string, string> = {}): Promise<NodeProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quantd-node-'))
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    METRICS_PORT: '0',
    QUANTD_DATA_DIR: dataDir,
    QUANTD_MASTER_KEY: TEST_MASTER_KEY,
    ...settings,
  }
  const argv = [...nodeFlags, join(root, 'src/cli.ts')]
  let child = spawn(process.execPath, ['--version'])
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [...argv, 'serve'], { env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    await until(() => {
      assert.equal(child.exitCode, null, `the node ended:\n${output}`)
      return output.includes('/docs')
    }, 'the node serves')
  }
  const stop = async (): Promise<number | null> => {
    if (child.exitCode !== null) return child.exitCode
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    return (await ended)[0]
  }
  process.once('exit', () => child.kill('SIGKILL'))
  await start()
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return child.pid!
    },
    start,
    stop,
    async remove() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
    quantd(...args) {
      const { status, stdout, stderr } = attempt(process.execPath, [...argv, ...args], { env })
      assert.equal(status, 0, stderr)
      return stdout
    },
  }
}
