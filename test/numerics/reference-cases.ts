/** Reference vectors, and answering them the way the service does: validated, defaults filled in. */
import assert from 'node:assert/strict'
import type { Static, TObject } from 'typebox'
import Value from 'typebox/value'
import type { Filled, Operation } from '../../src/catalogue/operation.ts'

export interface ReferenceCase<Input, Output> {
  readonly name: string
  readonly input: Input
  readonly expected: Output
  readonly rel_tol: number
  readonly abs_tol: number
}

export { referenceCases } from '../../src/cli/selftest/vectors.ts'

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

/** Passes when |got − exact| ≤ abs_tol + rel_tol·|exact|. */
export function assertClose(
  got: number,
  exact: number,
  { name, rel_tol, abs_tol }: { name: string; rel_tol: number; abs_tol: number },
): void {
  const error = Math.abs(got - exact)
  assert.ok(error <= abs_tol + rel_tol * Math.abs(exact), `${name}: got ${got}, not ${exact}`)
}

/** Expects a refusal that names the parameter. */
export function assertRefused(parameter: string, run: () => unknown): void {
  assert.throws(run, { name: 'DomainError', parameter })
}
