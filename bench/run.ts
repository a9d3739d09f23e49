/** Measures the usual parts, or the named ones, keeps the results, and updates the documents that quote them except README.md. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { batches } from './batch.ts'
import { columns } from './columns.ts'
import { connections } from './connections.ts'
import { dataFrames } from './data-frame.ts'
import { httpOnPostgres, httpOnSqlite } from './http.ts'
import { OTHER_CORE, pinSelf } from './machine.ts'
import { mcp } from './mcp.ts'
import { memory } from './memory.ts'
import { proofs } from './proofs.ts'
import { keep, type Part, printed } from './record.ts'
import { writeReport } from './report.ts'
import { steadiness } from './steadiness.ts'
import { tail } from './tail.ts'

const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  'http-sqlite': httpOnSqlite,
  'http-postgres': httpOnPostgres,
  proofs,
  batch: batches,
  columns,
  mcp,
  'data-frame': dataFrames,
  steadiness,
  tail,
  memory,
  connections,
}

/** Measurements that run as separate programs and keep their results themselves. */
const PROGRAMS = ['kernels', 'settle']
/**
 * Programs that run only if they are named: timing side channels are slow to measure, topologies need Debian's PostgreSQL and
 * Citus, the growth of the audit 45 GB of disk, the console Chromium; the last one lists the files that calls run through.
 */
const NAMED_ONLY = ['timing', 'topologies', 'audit-growth', 'console', 'walk']

const wanted = process.argv.slice(2)
const isWanted = (name: string) =>
  wanted.length === 0 || wanted.some((word) => name === word || name.startsWith(`${word}-`))
const names = Object.keys(PARTS).filter(isWanted)
pinSelf()
for (const name of names) {
  const startedAt = performance.now()
  const kept = keep(name, await PARTS[name]())
  console.log(`# ${name} (${((performance.now() - startedAt) / 1_000).toFixed(0)} s) ${kept.conditions}`)
  for (const row of kept.rows) console.log(printed(row))
}
for (const name of [...PROGRAMS.filter(isWanted), ...NAMED_ONLY.filter((name) => wanted.includes(name))]) {
  console.log(`# ${name}`)
  const file = join(import.meta.dirname, `${name}.ts`)
  spawnSync('taskset', ['-c', OTHER_CORE, process.execPath, file], { stdio: 'inherit' })
}
writeReport()
