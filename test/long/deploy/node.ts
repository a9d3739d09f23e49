/** Nodes of the service in processes of their own, with a data folder each and the command line beside them. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { nodeFlags } from '../../../scripts/run-node.js'
import * as support from '../../support/node-process.ts'
import { TEST_MASTER_KEY } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { attempt, root } from './command.ts'

export interface NodeProcess extends support.NodeProcess {
  readonly port: number
  /** Stops and removes the data folder. */
  remove(): Promise<void>
  /** Runs `quantd …` with the settings of this node; returns its standard output. */
  quantd(...args: string[]): string
}

export async function startNode(given: Record<string, string> = {}): Promise<NodeProcess> {
  const dataDir = temporaryFolder('node')
  const settings = { QUANTD_MASTER_KEY: TEST_MASTER_KEY, ...given }
  const node = await support.nodeProcess({
    dataDir,
    settings,
    execArgv: nodeFlags,
    onUnasked: (message) => assert.fail(message),
  })
  await node.start()
  return Object.assign(node, {
    port: Number(new URL(node.url).port),
    async remove() {
      await node.stop()
    },
    quantd(...args: string[]) {
      const env = { PATH: process.env.PATH, QUANTD_DATA_DIR: dataDir, ...settings }
      const argv = [...nodeFlags, join(root, 'src/app/quantd.ts'), ...args]
      const { status, stdout, stderr } = attempt(process.execPath, argv, { env })
      assert.equal(status, 0, stderr)
      return stdout
    },
  })
}
