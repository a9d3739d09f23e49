/** A sampled profile of the service under load: processor time of a metered call by part. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callFor } from './http.ts'
import { startPinnedPostgres, startQuantd } from './machine.ts'
import type { Part } from './record.ts'

const SECONDS = 6

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: CallFrame
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
}

/** Shares of the busy time by part, the largest first. */
export interface Shares {
  readonly name: string
  readonly idle: number
  readonly parts: readonly (readonly [part: string, share: number])[]
  readonly functions: readonly (readonly [name: string, share: number])[]
}

export interface ProfiledPart extends Part {
  readonly profiles: readonly Shares[]
}

export async function profiles(): Promise<ProfiledPart> {
  const postgres = await startPinnedPostgres()
  const found = [
    await profileOf('SQLite', {}),
    await profileOf('PostgreSQL', { databaseUrl: await postgres.database() }),
  ]
  await postgres.stop()
  return {
    rounds: 1,
    conditions: `Samples of the event loop's thread every 200 µs under ${SECONDS} s of load, of which the second half is used; shares of the time when it was not idle.`,
    rows: [],
    profiles: found,
  }
}

async function profileOf(name: string, database: { databaseUrl?: string }): Promise<Shares> {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
  const execArgv = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200']
  const quantd = await startQuantd({ ...database, execArgv })
  await callFor(quantd, SECONDS)
  await quantd.stop()
  // Each worker thread writes its own profile; the largest is the event loop's.
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const largest = texts.toSorted((a, b) => b.length - a.length)[0]!
  rmSync(folder, { recursive: true })
  return { name, ...shares(JSON.parse(largest) as Profile) }
}

function shares(profile: Profile): Omit<Shares, 'name'> {
  const frames = new Map(profile.nodes.map(({ callFrame, id }) => [id, callFrame]))
  const parts = partsOf(profile)
  const [byPart, byFunction] = [new Map<string, number>(), new Map<string, number>()]
  let [busy, idle] = [0, 0]
  for (const [id, micros] of steadySamples(profile)) {
    const { functionName } = frames.get(id)!
    if (functionName === '(idle)') {
      idle += micros
      continue
    }
    busy += micros
    add(byPart, parts.get(id)!, micros)
    add(byFunction, `${functionName || '(anonymous)'} · ${parts.get(id)}`, micros)
  }
  const ranked = (sums: Map<string, number>, count: number) =>
    [...sums]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([name, micros]) => [name, micros / busy] as const)
  return { idle: idle / (busy + idle), parts: ranked(byPart, 16), functions: ranked(byFunction, 25) }
}

/** The samples of the second half, without start and warm-up. */
function* steadySamples({ samples, timeDeltas }: Profile): Generator<readonly [id: number, micros: number]> {
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0)
  const [from, to] = [total - (SECONDS / 2 + 0.5) * 1e6, total - 0.5e6]
  let at = 0
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index]!
    if (at >= from && at <= to) yield [id, timeDeltas[index]!]
  }
}

/** Attributes the time of native functions to their callers. */
function partsOf({ nodes }: Profile): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parts = new Map<number, string>()
  const visit = (id: number, inherited: string): void => {
    const { callFrame, children = [] } = byId.get(id)!
    const part = partOf(callFrame) ?? inherited
    parts.set(id, part)
    for (const child of children) visit(child, part)
  }
  visit(nodes[0]!.id, 'native')
  return parts
}

const add = (sums: Map<string, number>, name: string, micros: number) =>
  sums.set(name, (sums.get(name) ?? 0) + micros)

function partOf({ functionName, url }: CallFrame): string | null {
  const named = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (named !== undefined) return named
  const own = /\/src\/(.+?)\.ts$/.exec(url)?.[1]
  if (own !== undefined) return `src/${own}`
  if (url.startsWith('node:')) return `node:${/node:(?:internal\/)?([a-z_0-9]+)/.exec(url)?.[1] ?? ''}`
  return functionName.startsWith('(') && functionName !== '(anonymous)' ? functionName : null
}
