/** A real Prometheus on a free loopback port. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

export interface Rule {
  readonly name: string
  readonly health: string
  readonly state: string
}

export interface Target {
  readonly scrapeUrl: string
  readonly health: string
  readonly lastError: string
}

export interface Prometheus {
  /** The values of an instant query. Throws on an invalid query. */
  query(expression: string): Promise<number[]>
  rules(): Promise<Rule[]>
  targets(): Promise<Target[]>
  stop(): Promise<void>
}

/**
 * @param config text of prometheus.yml
 * @param rules folder with the rules, which the configuration names quantd/
 */
export async function startPrometheus(config: string, rules: string): Promise<Prometheus> {
  const folder = temporaryFolder('prometheus')
  const address = `127.0.0.1:${await freePort()}`
  writeFileSync(join(folder, 'prometheus.yml'), config)
  symlinkSync(rules, join(folder, 'quantd'))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = new Error(`prometheus does not start (Debian: apt-get install prometheus): ${error.message}`)
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const get = async (path: string) => {
    const reply = await fetch(`http://${address}${path}`)
    const body = (await reply.json()) as { status: string; error?: string; data: never }
    if (body.status !== 'success') throw new Error(`${path}: ${body.error}`)
    return body.data
  }
  await until(async () => {
    if (failure !== null) throw failure
    return await fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  }, 'Prometheus is ready')
  return {
    async query(expression) {
      const data: { result: { value: [number, string] }[] } = await get(
        `/api/v1/query?query=${encodeURIComponent(expression)}`,
      )
      return data.result.map(({ value }) => Number(value[1]))
    },
    async rules() {
      const data: { groups: { rules: Rule[] }[] } = await get('/api/v1/rules')
      return data.groups.flatMap(({ rules }) => rules)
    },
    async targets() {
      const data: { activeTargets: Target[] } = await get('/api/v1/targets')
      return data.activeTargets
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
