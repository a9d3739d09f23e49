/** The answer of an operation, validated and with defaults filled in as the service does, and refusals of the kernels. */
import assert from 'node:assert/strict'
import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/schema'
import { validator } from '../../src/compute/body/validate.ts'
import type { Filled, Operation } from '../../src/compute/catalogue/operation.ts'

/** The result of an operation for a request; asserts that both satisfy its schemas. */
export function answer<Input extends TObject, Output extends TObject>(
  operation: Operation<Input, Output>,
  request: Static<Input>,
): Static<Output> {
  const data = operation.compute(validator<Filled<Input>>(operation.input).validate(structuredClone(request)))
  assert.ok(Compile(operation.output as TObject).Check(data), 'the answer satisfies the schema')
  return data
}

/** The numbers of a matrix, with a semicolon after each row but the last. */
export const rows = (text: string): number[][] => text.split('; ').map((row) => row.split(' ').map(Number))

/** Expects a refusal that names the parameter. */
export function assertRefused(parameter: string, run: () => unknown): void {
  assert.throws(run, { name: 'DomainError', parameter })
}
