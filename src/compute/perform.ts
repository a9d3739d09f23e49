/** The computing step: bytes in, text out; pure, so that it runs in the main thread or in a worker alike. */
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { parse } from '../body/parse.ts'
import { type Validator, validator } from '../body/validate.ts'
import type { Filled, Operation } from '../catalogue/operation.ts'
import { type Detail, Failure, type FailureCode } from '../errors.ts'
import { DomainError } from '../numerics/domain-error.ts'
import { type NumberFields, numberFields } from './alike/number-fields.ts'
import { printer } from './print.ts'

/** A failure as a value, so that it can cross from a worker. */
export interface PerformFailure {
  readonly code: FailureCode
  readonly message: string
  readonly details: readonly Detail[]
}

/** What a request takes when all of it succeeds. */
export interface Extent {
  /** Slots in the rate windows. */
  readonly units: number
  readonly cost: number
}

export interface Answer {
  /** The result as JSON. */
  readonly data: string
  /** The same, where it is long. */
  readonly pieces?: readonly string[]
  /** What the successes in it cost. */
  readonly credits: number
  /** For a batch: calls and credits by path, as JSON. */
  readonly parts: string | null
}

/** A request that was read and checked. */
export interface Work {
  readonly extent: Extent
  /** Estimated computing time in microseconds on one core. */
  readonly micros: number
  perform(): Answer | PerformFailure
}

export interface Performer {
  readonly path: string
  /** null: only the body tells. */
  readonly extent: Extent | null
  /** What any request to it takes. */
  readonly least: Extent
  /** Reads a body, without computing. */
  read(bytes: Uint8Array): Work | PerformFailure
}

/** What an operation computes from: a body that was checked, its defaults filled in. */
export type Input = Filled<TObject>

export interface OperationPerformer extends Performer, Validator<Input> {
  readonly operation: Operation
  readonly cost: number
  readonly numberFields: NumberFields
  /** The result as JSON. Throws DomainError or Failure. */
  run(input: Input): string
}

/** Prepares an operation: compiles its schemas once. */
export function performer(operation: Operation, cost = 1): OperationPerformer {
  const { admits, validate } = validator<Input>(operation.input)
  const output = Compile(operation.output)
  const print = printer(operation.output)
  const extent: Extent = { units: 1, cost }
  const run = (input: Input): string => {
    const result = operation.compute(input)
    // The schema of a number admits finite ones only.
    if (!output.Check(result)) throw notFinite()
    return print(result)
  }
  const read = (bytes: Uint8Array): Work => {
    const input = validate(bodyOf(bytes))
    const perform = () => attempt(() => ({ data: run(input), credits: cost, parts: null }), operation)
    return { extent, micros: operation.work(input), perform }
  }
  return {
    path: operation.path,
    operation,
    cost,
    extent,
    least: extent,
    numberFields: numberFields(operation.input),
    admits,
    validate,
    run,
    read: (bytes) => attempt(() => read(bytes), operation),
  }
}

/** The outcome of an attempt, or its failure. */
export function attempt<Outcome>(
  work: () => Outcome,
  operation?: Pick<Operation, 'fields'>,
): Outcome | PerformFailure {
  try {
    return work()
  } catch (error) {
    return performFailure(error, operation)
  }
}

export const hasFailed = (outcome: object): outcome is PerformFailure => 'code' in outcome

/** No body at all lacks every field. */
export const bodyOf = (bytes: Uint8Array): unknown => (bytes.length === 0 ? {} : parse(bytes))

const notFinite = () =>
  new Failure(
    'invalid_input',
    'The result is not a finite number at these values; bring the inputs closer to ordinary magnitudes.',
  )

/** Anything but a known failure is a bug, and goes on to whoever called. */
export function performFailure(error: unknown, operation?: Pick<Operation, 'fields'>): PerformFailure {
  if (error instanceof DomainError) {
    const wireName = (name: string) => operation?.fields?.[name] ?? name
    const [name = '', ...rest] = error.parameter.split('.')
    const field = [wireName(name), ...rest]
    const text = error.message.replace(/\{(\w+)\}/g, (_, other: string) => wireName(other))
    return {
      code: 'invalid_input',
      message: error.isSentence ? `${text}.` : `${field.join('.')} ${text}.`,
      details: [{ path: `/${field.join('/')}`, message: text }],
    }
  }
  if (error instanceof Failure) return { code: error.code, message: error.message, details: error.details }
  throw error
}
