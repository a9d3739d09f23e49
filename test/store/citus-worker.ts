/** The workers of the Citus cluster of the tests. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the cluster: n0 is the coordinator's data, n1 and n2 those of the workers. Undefined: there is none. */
export const folder = process.env.QUANTD_TEST_CITUS

/** A server of the cluster, which it kills as a power failure would, and starts as it was started before. */
export function workerOf(name: string) {
  const data = join(folder!, name)
  const [program, ...options] = readFileSync(join(data, 'postmaster.opts'), 'utf8').match(/[^\s"]+/g)!
  const [, , , port] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n').map(Number)
  const ctl = join(program!, '../pg_ctl')
  assert.equal(options[0], '-D')
  const run = (args: string) =>
    execFileSync('su', ['postgres', '-s', '/bin/bash', '-c', `${ctl} -D ${data} ${args}`])
  return {
    port: port!,
    kill: () => run('-m immediate stop'),
    start: () => run(`-l ${data}.log -w start`),
  }
}
