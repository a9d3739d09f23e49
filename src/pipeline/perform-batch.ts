/** A batch as something to perform: its calls one after another, each with an answer of its own. */
import { batch } from '../catalogue/batch.ts'
import { MAX_NUMBERS } from '../catalogue/schema.ts'
import { Failure } from '../errors.ts'
import {
  bodyOf,
  type Extent,
  type OperationPerformer,
  type Performer,
  type PerformFailure,
  type Prepared,
  performFailure,
} from './perform.ts'
import { validator } from './validate.ts'

interface BatchBody {
  readonly calls: readonly { readonly path: string; readonly body: object }[]
}

/** The longest a batch may be estimated to take. */
const MAX_WORK_MICROS = 25_000_000

export function batchPerformer(performers: ReadonlyMap<string, OperationPerformer>): Performer {
  const input = validator<BatchBody>(batch.input)
  const read = (bytes: Uint8Array) => {
    const { calls } = input.validate(bodyOf(bytes))
    refuseNumbers(calls)
    return calls
  }
  const extentOf = (calls: BatchBody['calls']): Extent => ({
    units: calls.length,
    cost: calls.reduce((sum, { path }) => sum + (performers.get(path)?.extent?.cost ?? 0), 0),
  })
  return {
    path: batch.path,
    extent: null,
    least: { units: 1, cost: Math.min(...[...performers.values()].map(({ least }) => least.cost)) },
    measure(bytes) {
      try {
        return extentOf(read(bytes))
      } catch (error) {
        return performFailure(error)
      }
    },
    perform(bytes, allowanceMicros) {
      try {
        const calls = read(bytes)
        const prepared = calls.map((call) => prepare(performers.get(call.path), call))
        const work = prepared.reduce((sum, one) => sum + one.workMicros, 0)
        if (work > MAX_WORK_MICROS) throw tooMuchWork(work)
        if (work > allowanceMicros) return { ok: 'heavy' }
        const tally = new Tally()
        const results = prepared.map((one, index) => tally.run(calls[index]!.path, one))
        return {
          ok: true,
          data: `{"results":[${results.join(',')}]}`,
          extent: extentOf(calls),
          credits: tally.credits,
          parts: tally.parts(),
        }
      } catch (error) {
        return { ok: false, failure: performFailure(error) }
      }
    },
  }
}

interface PreparedCall extends Prepared {
  readonly cost: number
  readonly performer: OperationPerformer | undefined
}

/** A call that cannot be made has its failure for a result. */
function prepare(performer: OperationPerformer | undefined, call: BatchBody['calls'][number]): PreparedCall {
  const failing = (failure: Failure): PreparedCall => ({
    cost: 0,
    performer,
    workMicros: 1,
    run() {
      throw failure
    },
  })
  if (performer === undefined)
    return failing(new Failure('route_not_found', `There is no computation at ${call.path}.`))
  try {
    return { ...performer.prepare(call.body), cost: performer.extent!.cost, performer }
  } catch (error) {
    if (error instanceof Failure) return failing(error)
    throw error
  }
}

/** Runs calls and keeps count of what they were and cost. */
class Tally {
  credits = 0
  readonly #byPath = new Map<string, { path: string; calls: number; credits: number }>()

  /** The call's result as JSON. */
  run(path: string, { cost, performer, run }: PreparedCall): string {
    const part = this.#part(performer === undefined ? batch.path : path)
    part.calls += 1
    try {
      const data = run()
      part.credits += cost
      this.credits += cost
      return `{"success":true,"data":${data}}`
    } catch (error) {
      return failureText(performFailure(error, performer?.operation))
    }
  }

  parts(): string {
    return JSON.stringify([...this.#byPath.values()])
  }

  #part(path: string) {
    let part = this.#byPath.get(path)
    if (part === undefined) {
      part = { path, calls: 0, credits: 0 }
      this.#byPath.set(path, part)
    }
    return part
  }
}

const failureText = ({ code, details, message }: PerformFailure): string =>
  JSON.stringify({ success: false, message, error: { code, ...(details.length > 0 && { details }) } })

/** The limit on numbers bounds the sum of the calls. */
function refuseNumbers(calls: BatchBody['calls']): void {
  let numbers = 0
  for (const { body } of calls) for (const value of Object.values(body)) numbers += numbersIn(value)
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
