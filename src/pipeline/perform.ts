/** The computing step: bytes in, bytes out; pure, so that it runs in the main thread or in a worker alike. */
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Filled, Operation } from '../catalogue/operation.ts'
import { type Detail, Failure, type FailureCode } from '../errors.ts'
import { DomainError } from '../numerics/domain-error.ts'
import { parse } from './parse.ts'
import { type Validator, validator } from './validate.ts'

/** A failure as a value, so that it can cross from a worker. */
export interface PerformFailure {
  readonly code: FailureCode
  readonly message: string
  readonly details: readonly Detail[]
}

export type Performed =
  | { readonly ok: true; readonly data: string }
  | { readonly ok: false; readonly failure: PerformFailure }
  /** Not done here: the estimate is over what the caller allows. */
  | { readonly ok: 'heavy' }

export interface Performer {
  readonly operation: Operation
  /** Runs the operation on a body, unless its estimated work is over `allowanceMicros`. */
  perform(bytes: Uint8Array, allowanceMicros: number): Performed
}

/** Prepares an operation: compiles its schemas once. */
export function performer(operation: Operation): Performer {
  const input: Validator<Filled<TObject>> = validator(operation.input)
  const isAnswer = outputCheck(operation.output)
  return {
    operation,
    perform(bytes, allowanceMicros) {
      try {
        const request = input.validate(bytes.length === 0 ? {} : parse(bytes))
        if (operation.work(request) > allowanceMicros) return { ok: 'heavy' }
        const result = operation.compute(request)
        if (!isAnswer(result)) throw notFinite()
        return { ok: true, data: JSON.stringify(result) }
      } catch (error) {
        return { ok: false, failure: failureOf(error, operation) }
      }
    },
  }
}

/** The schema of a number admits finite ones only. */
function outputCheck(schema: TObject): (result: unknown) => boolean {
  const compiled = Compile(schema)
  return (result) => compiled.Check(result)
}

const notFinite = () =>
  new Failure(
    'invalid_input',
    'The result is not a finite number at these values; bring the inputs closer to ordinary magnitudes.',
  )

/** Anything but a known failure is a bug, and goes on to whoever called. */
function failureOf(error: unknown, operation: Operation): PerformFailure {
  if (error instanceof DomainError) {
    const [name = '', ...rest] = error.parameter.split('.')
    const field = [operation.fields?.[name] ?? name, ...rest]
    return {
      code: 'invalid_input',
      message: `${field.join('.')} ${error.message}.`,
      details: [{ path: `/${field.join('/')}`, message: error.message }],
    }
  }
  if (error instanceof Failure) return { code: error.code, message: error.message, details: error.details }
  throw error
}
