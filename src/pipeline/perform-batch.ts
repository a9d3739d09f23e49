/** A batch as something to perform: its calls one after another, each with an answer of its own. */
import { batch } from '../catalogue/batch.ts'
import type { Operation } from '../catalogue/operation.ts'
import { MAX_NUMBERS } from '../catalogue/schema.ts'
import { Failure } from '../errors.ts'
import {
  type Answer,
  attempt,
  bodyOf,
  type OperationPerformer,
  type Performer,
  type PerformFailure,
  type Prepared,
  performFailure,
  type Work,
} from './perform.ts'
import { validator } from './validate.ts'

interface BatchBody {
  readonly calls: readonly { readonly path: string; readonly body: object }[]
}

/** The longest a batch may be estimated to take. */
const MAX_WORK_MICROS = 25_000_000

export function batchPerformer(performers: ReadonlyMap<string, OperationPerformer>): Performer {
  const input = validator<BatchBody>(batch.input)
  const read = (bytes: Uint8Array): Work => {
    const { calls } = input.validate(bodyOf(bytes))
    refuseNumbers(calls)
    const prepared = calls.map(({ body, path }) => prepare(performers.get(path), path, body))
    const micros = prepared.reduce((sum, call) => sum + call.micros, 0)
    if (micros > MAX_WORK_MICROS) throw tooMuchWork(micros)
    const cost = prepared.reduce((sum, call) => sum + call.cost, 0)
    return { extent: { units: calls.length, cost }, micros, perform: () => runAll(prepared) }
  }
  return {
    path: batch.path,
    extent: null,
    least: { units: 1, cost: Math.min(...[...performers.values()].map(({ least }) => least.cost)) },
    read: (bytes) => attempt(() => read(bytes)),
  }
}

interface PreparedCall extends Prepared {
  /** Where it counts. */
  readonly path: string
  readonly cost: number
  readonly operation?: Operation
}

/** A call that cannot be made has its failure for a result. */
function prepare(performer: OperationPerformer | undefined, path: string, body: object): PreparedCall {
  if (performer === undefined)
    return failing(batch.path, 0, new Failure('route_not_found', `There is no computation at ${path}.`))
  const { cost, operation } = performer
  try {
    const { micros, run } = performer.prepare(body)
    return { path, cost, operation, micros, run }
  } catch (error) {
    if (error instanceof Failure) return failing(path, cost, error)
    throw error
  }
}

const failing = (path: string, cost: number, failure: Failure): PreparedCall => ({
  path,
  cost,
  micros: 1,
  run() {
    throw failure
  },
})

/** Runs the calls one after another, and adds up what they were and cost. */
function runAll(calls: readonly PreparedCall[]): Answer {
  const parts = new Map<string, { path: string; calls: number; credits: number }>()
  const results = calls.map((call) => {
    const part = parts.get(call.path) ?? { path: call.path, calls: 0, credits: 0 }
    parts.set(call.path, part)
    part.calls += 1
    try {
      const data = call.run()
      part.credits += call.cost
      return `{"success":true,"data":${data}}`
    } catch (error) {
      return failureText(performFailure(error, call.operation))
    }
  })
  const sums = [...parts.values()]
  return {
    data: `{"results":[${results.join(',')}]}`,
    credits: sums.reduce((sum, { credits }) => sum + credits, 0),
    parts: JSON.stringify(sums),
  }
}

const failureText = ({ code, details, message }: PerformFailure): string =>
  JSON.stringify({ success: false, message, error: { code, ...(details.length > 0 && { details }) } })

/** The limit on numbers bounds the sum of the calls. */
function refuseNumbers(calls: BatchBody['calls']): void {
  let numbers = 0
  for (const call of calls) {
    const body = call.body as Record<string, unknown>
    for (const name in body) numbers += numbersIn(body[name])
  }
  if (numbers > MAX_NUMBERS)
    throw new Failure(
      'invalid_input',
      `The calls hold ${numbers} numbers together; at most ${MAX_NUMBERS} are taken: send several batches.`,
      { details: [{ path: '/calls', message: `must hold at most ${MAX_NUMBERS} numbers together` }] },
    )
}

function numbersIn(value: unknown): number {
  if (typeof value === 'number') return 1
  if (!Array.isArray(value)) return 0
  let numbers = 0
  for (const item of value) numbers += numbersIn(item)
  return numbers
}

const tooMuchWork = (micros: number) =>
  new Failure(
    'invalid_input',
    `The calls would take about ${Math.ceil(micros / 1e6)} s together; at most ${MAX_WORK_MICROS / 1e6} s are given to one request: send several batches.`,
    { details: [{ path: '/calls', message: 'hold too much work together' }] },
  )
