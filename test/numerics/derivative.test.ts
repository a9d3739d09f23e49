/** Finite differences against 50 digits, and the places where there is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differenceMethods, finiteDifference, functionNames } from '../../src/numerics/derivative.ts'
import { assertRefused } from './answer.ts'

test('the three methods use three stencils', () => {
  assert.equal(finiteDifference('x2', 3, 0.5, 'central'), 6)
  assert.equal(finiteDifference('x2', 3, 0.5, 'forward'), 6.5)
  assert.equal(finiteDifference('x2', 3, 0.5, 'backward'), 5.5)
  assert.equal(finiteDifference('x3', 2, 1, 'central'), 13)
})

test('the difference is divided by the step really taken', () => {
  const x = 1e8
  const h = 1e-7
  assert.equal(finiteDifference('x2', x, h, 'forward'), ((x + h) ** 2 - x ** 2) / (x + h - x))
})

test('a step lost in the rounding of x is refused', () => {
  for (const method of differenceMethods)
    assertRefused('h', () => finiteDifference('exp', 1e10, 1e-7, method))
  assertRefused('h', () => finiteDifference('x2', 1, 1e-16, 'backward'))
  assertRefused('h', () => finiteDifference('x2', -1, 1e-16, 'central'))
  assert.equal(finiteDifference('x2', -1, 1e-16, 'forward'), (1 - 2 ** -53 + 1) * -1)
})

test('a step of zero or below is refused', () => {
  for (const h of [0, -1e-7, Number.NaN]) assertRefused('h', () => finiteDifference('sin', 1, h, 'central'))
})

test('log is refused at and below zero, whichever point of the stencil lies there', () => {
  assertRefused('x', () => finiteDifference('log', 0.5, 0.5, 'central'))
  assertRefused('x', () => finiteDifference('log', 0.5, 0.5, 'backward'))
  assertRefused('x', () => finiteDifference('log', 0, 0.5, 'forward'))
  assertRefused('x', () => finiteDifference('log', -1, 0.5, 'forward'))
  assert.equal(finiteDifference('log', 0.5, 0.5, 'forward'), 2 * Math.LN2)
})

test('sqrt is refused below zero and taken at zero', () => {
  assertRefused('x', () => finiteDifference('sqrt', 0, 0.25, 'central'))
  assertRefused('x', () => finiteDifference('sqrt', 0, 0.25, 'backward'))
  assert.equal(finiteDifference('sqrt', 0, 0.25, 'forward'), 2)
  assert.equal(finiteDifference('sqrt', 0.25, 0.25, 'backward'), 2)
})

test('tan is refused across a pole, near or far, and taken beside it', () => {
  assertRefused('x', () => finiteDifference('tan', Math.PI / 2, 1e-7, 'central'))
  assertRefused('x', () => finiteDifference('tan', -1.5, 0.1, 'backward'))
  assertRefused('x', () => finiteDifference('tan', 1e6, 1.6, 'central'))
  assertRefused('x', () => finiteDifference('tan', 0, 100, 'forward'))
  // 355/2 is 1.5e-5 above 56.5 π, a pole.
  assertRefused('x', () => finiteDifference('tan', 177.5, 1e-4, 'backward'))
  assert.ok(finiteDifference('tan', 177.5, 1e-7, 'central') > 1e9)
})

test('points that are further apart than the largest double have a difference; one beyond it is refused', () => {
  assert.equal(finiteDifference('sin', 0, 1e308, 'central'), Math.sin(1e308) / 1e308)
  assert.equal(finiteDifference('cos', 0, 1e308, 'central'), 0)
  assertRefused('h', () => finiteDifference('sin', 1e308, 1e308, 'central'))
})

test('overflow is refused, but not where only the difference overflows', () => {
  assertRefused('x', () => finiteDifference('exp', 710, 1e-7, 'central'))
  assertRefused('x', () => finiteDifference('x2', 1.7e308, 1e293, 'forward'))
  assert.ok(Math.abs(finiteDifference('x3', 0, 5e102, 'central') / 2.5e205 - 1) < 1e-15)
})

test('a quotient within range is given where the values of the function are beyond it', () => {
  const close = (found: number, wanted: number) => assert.ok(Math.abs(found / wanted - 1) < 1e-15, `${found}`)
  close(finiteDifference('x2', 1e200, 1e190, 'central'), 2e200)
  close(finiteDifference('x2', 1e200, 1e190, 'forward'), 2.0000000001e200)
  close(finiteDifference('x2', -1e300, 1e290, 'central'), -2e300)
  close(finiteDifference('x3', 1e150, 1e140, 'central'), 3e300)
  close(finiteDifference('x3', -7e153, 1e140, 'central'), 1.47e308)
  // (exp(711) − exp(701))/10 by 50 digits.
  close(finiteDifference('exp', 706, 5, 'central'), 6.07235168087357e307)
})

test('a quotient keeps its digits where the values of the function are below the doubles, or have lost digits there', () => {
  const close = (found: number, wanted: number) => assert.ok(Math.abs(found / wanted - 1) < 1e-15, `${found}`)
  close(finiteDifference('x2', 1e-200, 2 ** -670, 'central'), 2e-200)
  close(finiteDifference('x2', 1e-155, 1e-157, 'central'), 2e-155)
  close(finiteDifference('x2', 0, 1e-160, 'forward'), 1e-160)
  close(finiteDifference('x2', -1e-170, 1e-170, 'backward'), -3e-170)
  close(finiteDifference('x3', 1e-110, 1e-111, 'central'), 3.01e-220)
  close(finiteDifference('x3', 0, 1e-120, 'central'), 1e-240)
  // exp(−740)·sinh(0.01)/0.01 by 50 digits is 4.1888e-322.
  assert.equal(finiteDifference('exp', -740, 0.01, 'central'), 4.2e-322)
})

test('whatever is asked, the answer is a finite number or a refusal', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(
      fc.constantFrom(...functionNames),
      fc.constantFrom(...differenceMethods),
      finite,
      finite,
      (name, method, x, h) => {
        try {
          assert.ok(Number.isFinite(finiteDifference(name, x, h, method)))
        } catch (error) {
          assert.equal((error as Error).name, 'DomainError')
        }
      },
    ),
    { numRuns: 2_000 },
  )
})
