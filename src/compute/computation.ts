/** Computations: operations compiled to read bodies and run them. They are pure, so that every thread gives the same results. */
import type { TObject } from 'typebox'
import { Compile } from 'typebox/schema'
import { invalidField, invalidInput, notFinite, overEstimate } from '../base/errors/requests.ts'
import { Failure, type FailureFacts, failureFrom } from '../base/failure.ts'
import { INLINE, MAX_STRINGS, MAX_VALUES, MAX_WORK_MICROS, UNPAID } from '../base/limits/callers.ts'
import { BudgetExceeded, withinBudget } from '../numerics/budget.ts'
import { DomainError } from '../numerics/domain-error.ts'
import { ArrowFault } from '../wire/arrow/format.ts'
import { arrowInput, arrowResult, arrowTable } from './array-operation.ts'
import type { CallCounter } from './body/call-counter.ts'
import { parse } from './body/parse.ts'
import { type Validator, validator } from './body/validate.ts'
import { hasColumns } from './catalogue/columns.ts'
import { type ArrowRows, type Input, type Operation, withinLimit, workOf } from './catalogue/operation.ts'
import { exactly } from './catalogue/schema.ts'
import type { InPieces, Rows } from './columns/row-loop.ts'
import { type Encoding, JSON_WIRE, type Result, type Wire } from './result.ts'

/** The estimate for a refused call, whose faults are described when it is run. */
export const REFUSED_MICROS = 20

/** The seconds that an estimate begins, which an operation's price counts for. @param micros of one call or row */
export const startedSeconds = (micros: number): number => Math.max(1, Math.ceil(micros / 1e6))

/** A body that was read and checked, ready to run. */
export interface Job {
  /** Credits that the job takes if all its calls succeed. */
  readonly cost: number
  /** Estimated computing time in microseconds on one core. */
  readonly micros: number
  run(): Result | Failure
  /** Present if the job may be run in pieces instead. */
  readonly rows?: Rows
}

/** An operation, its columns, or the batch, compiled and ready to read bodies. */
export interface Computation {
  readonly path: string
  /** The operation that it runs; null: the batch, whose calls name theirs. */
  readonly operationPath: string | null
  /** Counts the calls or rows of a request while it arrives; null: a request is always one call. */
  readonly counter: (() => CallCounter) | null
  /** The fewest credits that a request may take. */
  readonly leastCost: number
  /** The most credits that a request may take. */
  readonly mostCost: number
  /** The costs of all operations, with which a thread reads the body. */
  readonly costs: Costs
  /** Runs large jobs in pieces; null: every job is run as a whole. */
  readonly inPieces: InPieces | null
  /** Up to so many bytes, a body is read on the event loop. */
  readonly inlineBytes: number
  /** Whether its bodies and results may be Arrow streams. */
  readonly takesArrow: boolean
  /**
   * Reads and checks a body, without computing.
   * @param allowed paths of operations that the calls of a batch may name; null: all
   */
  read(bytes: Uint8Array, wire?: Wire, allowed?: ReadonlySet<string> | null): Job | Failure
}

export interface CompiledOperation extends Computation, Validator<Input> {
  readonly operation: Operation
  /** Credits for each second that the estimate of a call begins. */
  readonly price: number
  /** Returns the result as JSON. Throws DomainError or Failure. */
  compute(input: Input): string
}

/** Credits for each second that the estimate of a call begins, by path; absent: 1. */
export type Costs = Readonly<Record<string, number>>

/** The compiled schemas of an operation, which its cost does not change. */
export const compileSchemas = ({ input, output, rows }: Operation) => ({
  input: validator<Input>(input),
  /** The fields that are no columns, of an operation that reads columns itself. */
  others: rows === undefined ? null : validator<Input>(withoutFields(input, rows.columns)),
  output: Compile(output),
})

const withoutFields = ({ properties }: TObject, names: readonly string[]): TObject =>
  exactly(Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))))

/** @param costs of all operations */
export function compileOperation(
  operation: Operation,
  costs: Costs = {},
  { input: { check, validate }, others, output } = compileSchemas(operation),
): CompiledOperation {
  const { hasTexts = false, rows } = operation
  const price = costs[operation.path] ?? 1
  const computed = (micros: number, kernel: () => object): object => {
    const result = withinBudget(micros, kernel)
    // The schema of a number admits finite ones only.
    if (!output.Check(result)) throw notFinite()
    return result
  }
  const computedOf = (input: Input): object =>
    computed(workOf(operation, input), () => operation.compute(input))
  const compute = (input: Input): string => JSON.stringify(computedOf(input))
  const jobOf = (micros: number, encoding: Encoding, kernel: () => object): Job => {
    const pieces = () => {
      const result = computed(micros, kernel)
      return encoding === 'json'
        ? [JSON.stringify(result)]
        : arrowResult(operation, result as Record<string, unknown>)
    }
    const cost = price * startedSeconds(micros)
    const run = () =>
      orFailure(() => ({ pieces: pieces(), encoding, credits: cost, calls: 1, parts: null }), operation)
    return { cost, micros, run }
  }
  const inputJob = (input: Input, encoding: Encoding): Job =>
    jobOf(workOf(operation, input), encoding, () => operation.compute(input))
  const readArrow = (bytes: Uint8Array, encoding: Encoding): Job | Failure => {
    const { job, placed } = rows === undefined ? readLists(bytes, encoding) : readRows(rows, bytes, encoding)
    if (job instanceof Failure) return placed(job)
    const run = () => {
      const result = job.run()
      return result instanceof Failure ? placed(result) : result
    }
    return { ...job, run }
  }
  const readLists = (bytes: Uint8Array, encoding: Encoding) => {
    const { body, placed } = arrowInput(operation, bytes)
    return { job: orFailure(() => inputJob(validate(body), encoding), operation), placed }
  }
  const readRows = (rows: ArrowRows, bytes: Uint8Array, encoding: Encoding) => {
    const { stream, scalars, placed } = arrowTable(operation, rows, bytes)
    const job = orFailure(() => {
      const given = others!.validate(scalars)
      return jobOf(withinLimit(rows.work(stream)), encoding, () => rows.compute(stream, given))
    }, operation)
    return { job, placed }
  }
  const read = (bytes: Uint8Array, { body, reply }: Wire): Job | Failure =>
    body === 'arrow'
      ? readArrow(bytes, reply)
      : inputJob(validate(bodyOf(bytes, hasTexts ? MAX_VALUES : MAX_STRINGS)), reply)
  return {
    path: operation.path,
    operationPath: operation.path,
    operation,
    price,
    counter: null,
    leastCost: price,
    mostCost: price * startedSeconds(MAX_WORK_MICROS),
    costs,
    check,
    validate,
    compute,
    inPieces: null,
    // A new text takes a microsecond, twenty times as long as a known one.
    inlineBytes: hasTexts ? UNPAID.bytes : INLINE.bytes,
    takesArrow: !hasColumns(operation),
    read: (bytes, wire = JSON_WIRE) => orFailure(() => read(bytes, wire), operation),
  }
}

/** Returns the failures of `action`; throws its other errors, which are bugs. */
export function orFailure<Outcome>(action: () => Outcome, operation?: FieldNames): Outcome | Failure {
  try {
    return action()
  } catch (error) {
    if (error instanceof Failure) return error
    if (error instanceof BudgetExceeded) return overEstimate(error)
    return failureFrom(factsOf(error, operation))
  }
}

/** An absent body counts as an object without fields. @param mostStrings the different texts that it may have */
export const bodyOf = (bytes: Uint8Array, mostStrings?: number): unknown =>
  bytes.length === 0 ? {} : parse(bytes, mostStrings)

/** The field names of parameters that the numerics call otherwise. */
type FieldNames = Pick<Operation, 'fields'>

/** The facts of a Failure, a DomainError or an ArrowFault; any other error is a bug and is thrown again. */
export function factsOf(error: unknown, operation?: FieldNames): FailureFacts {
  if (error instanceof DomainError) {
    const wireName = (name: string) => operation?.fields?.[name] ?? name
    const path = `/${error.parameter.split('.').map(wireName).join('/')}`
    const text = error.message.replace(/\{(\w+)\}/g, (_, other: string) => wireName(other))
    return {
      code: 'invalid_input',
      message: error.isSentence ? `${text}.` : invalidField(path, text),
      details: [{ path, message: text }],
    }
  }
  if (error instanceof ArrowFault)
    return factsOf(invalidInput([{ path: error.path, message: error.message }]))
  if (!(error instanceof Failure)) throw error
  const { code, details, isBug, message, numbers, retryAfterSeconds } = error
  return { code, message, details, numbers, isBug, retryAfterSeconds }
}
