/** Inputs of option tests: one plain option, and generators of extreme numbers. */
import assert from 'node:assert/strict'
import fc, { type Arbitrary } from 'fast-check'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import type { BlackScholesInput } from '../../../src/numerics/options/black-scholes.ts'

export const plain: BlackScholesInput = {
  spot: 100,
  strike: 105,
  rate: 0.05,
  volatility: 0.2,
  maturity: 1,
  dividendYield: 0.02,
  type: 'call',
}

export const within = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** Any positive number, the smallest and the largest included. */
export const positive = fc.oneof(
  fc.constantFrom(5e-324, 1e-308, 1, 1e308, Number.MAX_VALUE),
  fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true }),
)

/** Any finite number. */
export const finite = fc.oneof(
  fc.constantFrom(0, -0, 1e308, -1e308, 1e-308, 0.05),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Any finite numbers of an option that have the right signs. */
export const WILD = {
  spot: positive,
  strike: positive,
  rate: finite,
  volatility: finite.map(Math.abs),
  maturity: finite.map(Math.abs),
  dividendYield: finite,
  type: fc.constantFrom('call' as const, 'put' as const),
}

/** Checks what is computed for many inputs; a refusal is no fault. */
export function checkUnlessRefused<Input>(
  inputs: Arbitrary<Input>,
  check: (input: Input) => void,
  numRuns = 3000,
): void {
  const checked = fc.property(inputs, (input) => {
    try {
      check(input)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
  })
  fc.assert(checked, { numRuns })
}

/** A finite number, not below zero. */
export const assertNotNegative = (value: number): void =>
  assert.ok(Number.isFinite(value) && value >= 0, `${value}`)
