/** `quantd mcp`: gives an AI client on this machine the tools of a running service. */
import { createInterface } from 'node:readline'
import { bridge } from '../../serve/mcp/bridge.ts'
import { readClientConfig } from '../config/read-config.ts'
import type { Terminal } from './terminal.ts'

export async function serveMcp({
  environment,
  write,
}: Pick<Terminal, 'environment' | 'write'>): Promise<void> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  await bridge({ ...readClientConfig(environment), lines, write: (line) => write(`${line}\n`) })
}
