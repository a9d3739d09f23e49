/** The answer of an operation, validated and with defaults filled in as the service does, and refusals of the kernels. */
import assert from 'node:assert/strict'
import type { Static, TObject } from 'typebox'
import Value from 'typebox/value'
import type { Filled, Operation } from '../../src/catalogue/operation.ts'

/** The result of an operation for a request; asserts that both satisfy its schemas. */
export function answer<Input extends TObject, Output extends TObject>(
  operation: Operation<Input, Output>,
  request: Static<Input>,
): Static<Output> {
  const filled = Value.Default(operation.input, structuredClone(request))
  assert.ok(Value.Check(operation.input, filled), 'the request satisfies the schema')
  const data = operation.compute(filled as Filled<Input>)
  assert.ok(Value.Check(operation.output, data), 'the answer satisfies the schema')
  return data
}

/** The numbers of a matrix, with a semicolon after each row but the last. */
export const rows = (text: string): number[][] => text.split('; ').map((row) => row.split(' ').map(Number))

/** Expects a refusal that names the parameter. */
export function assertRefused(parameter: string, run: () => unknown): void {
  assert.throws(run, { name: 'DomainError', parameter })
}
