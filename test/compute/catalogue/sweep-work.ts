/**
 * `npm run sweep:work`: looks for the worst ratio of the time taken to the estimate, and for the most processor seconds a credit,
 * over hostile and random inputs of every operation, and prints them with their inputs. `--seconds 20` for each operation.
 */
import { parseArgs } from 'node:util'
import { hasColumns } from '../../../src/compute/catalogue/columns.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { type Input, type Operation, workOf } from '../../../src/compute/catalogue/operation.ts'
import type { Job } from '../../../src/compute/computation.ts'
import { compileComputations } from '../../../src/compute/computations.ts'
import { MOST_OF_ESTIMATE, workSpent } from '../../../src/numerics/budget.ts'
import { largest, mutated, nearExample, pick, reseed, searches } from './work-inputs.ts'
import { micros, slowness, timeShare } from './work-times.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
/** A ratio of processor seconds to a credit above this is a fault. */
const MOST_SECONDS_A_CREDIT = 1.5
/** A share of the estimate that is measured again. */
const SUSPICIOUS = 1

interface Found {
  readonly input: Input
  readonly share: number
  readonly spent: number
  readonly estimate: number
}

const slow = slowness()
const all = compileComputations()({})
const NOTHING: Found = { input: {} as Input, share: 0, spent: 0, estimate: 1 }
const worst = (one: Found, other: Found): Found => (badness(other) > badness(one) ? other : one)
const badness = ({ share, spent }: Found) => Math.max(share, spent)
/** One credit for each started second of the estimate. */
const secondsACredit = ({ share, estimate }: Found) =>
  (share * estimate) / 1e6 / Math.max(1, Math.ceil(estimate / 1e6))

function measured(operation: Operation, input: Input): Found {
  const estimate = workOf(operation, input)
  const spent = workSpent(() => operation.compute(input)) / estimate
  return { input, share: timeShare(operation, input, slow, SUSPICIOUS), spent, estimate }
}

/** Draws inputs, and varies the numbers of the worst one, until the time is over. */
function searched(operation: Operation, seconds: number): { ratio: Found; cost: Found } {
  const draw = searches[operation.path]?.[1] ?? (() => nearExample(operation))
  let [ratio, cost] = [NOTHING, NOTHING]
  const note = (found: Found) => {
    ratio = worst(ratio, found)
    if (secondsACredit(found) > secondsACredit(cost)) cost = found
  }
  for (const input of largest[operation.path]?.() ?? []) note(measured(operation, input as Input))
  const until = performance.now() + 1_000 * seconds
  while (performance.now() < until) {
    let found = measured(operation, draw() as Input)
    note(found)
    for (let step = 0; step < 30 && performance.now() < until; step++) {
      const next = measured(operation, pick(mutated(found.input), draw()) as Input)
      note(next)
      found = worst(found, next)
    }
  }
  return { ratio, cost }
}

/** The same input in many rows of columns, or in many calls of a batch. */
function inMany(path: string, body: object): Found | null {
  const job = all.get(path)!.read(Buffer.from(JSON.stringify(body))) as Job
  if (!('micros' in job)) return null
  job.run()
  const share = Math.min(...[1, 2, 3].map(() => micros(() => job.run()))) / slow / job.micros
  return { input: body as Input, share, spent: 0, estimate: job.micros }
}

const shown = (input: object) => JSON.stringify(input).slice(0, 300)
let isWrong = false
function print(name: string, ratio: Found, cost: Found, credits = 1): void {
  const seconds = secondsACredit(cost) / credits
  const isOver = badness(ratio) >= MOST_OF_ESTIMATE || seconds > MOST_SECONDS_A_CREDIT
  isWrong ||= isOver
  const figures = [badness(ratio), ratio.share, ratio.spent, seconds].map((figure) => figure.toFixed(3))
  console.log(`| ${name} | ${figures.join(' | ')} | ${isOver ? '**' : ''}${shown(ratio.input)} |`)
  if (cost.input !== ratio.input && seconds > 0.5) console.log(`|  | | | | | ${shown(cost.input)} |`)
}

console.log(`This machine is ${slow.toFixed(2)} times as slow as that of the estimates.\n`)
console.log('| operation | worst ratio | by time | by work spent | s a credit | input |')
console.log('|---|---|---|---|---|---|')
for (const operation of operations) {
  if (!operation.path.includes(values.only)) continue
  reseed(Number(values.seed))
  const { ratio, cost } = searched(operation, Number(values.seconds))
  print(operation.path, ratio, cost)
  const rows = Math.max(2, Math.min(1_000, Math.round(2e5 / ratio.estimate)))
  const calls = Array.from({ length: rows }, () => ({ path: operation.path, body: ratio.input }))
  const batch = shown(ratio.input).length < 300 ? inMany('/quantlib/batch', { calls }) : null
  if (batch !== null) print(`… in a batch of ${rows}`, { ...batch, input: {} as Input }, batch, rows)
  if (!hasColumns(operation)) continue
  const [first] = Object.keys(ratio.input)
  const columns = {
    ...ratio.input,
    [first]: Array(rows).fill((ratio.input as Record<string, unknown>)[first]),
  }
  const table = inMany(`${operation.path}/columns`, { columns })
  if (table !== null) print(`… in ${rows} rows`, { ...table, input: {} as Input }, table, rows)
}
process.exitCode = isWrong ? 1 : 0
