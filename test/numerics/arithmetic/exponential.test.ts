/** The exponential of a sum of two numbers against 50-digit values. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exponential } from '../../../src/numerics/arithmetic/exponential.ts'

const EXPONENTIALS: readonly [number, number, number][] = [
  [-699.9, 4.835739785214588e-16, 1.0896627777796168e-304],
  [-345.1234, 8.849005675541007e-16, 1.3026021909446732e-150],
  [-183.26901731181326, 8.446499933308341e-16, 2.5543304326091175e-80],
  [-20.3, -6.875469124378929e-5, 1.526835178436419e-9],
  [-1, 2.9794910627384845e-16, 0.36787944117144245],
  [-0.001, -7.735880706937113e-16, 0.9990004998333742],
  [0, -0.0005068543347603394, 0.9994932740941989],
  [3e-7, 0.00014788237585620164, 1.0001481933554068],
  [0.4999, -0.0005665403990723038, 1.647622697528769],
  [3, 0.0008326907436171037, 20.10226892919065],
  [88.8, -6.807915752839235e-16, 3.67578408447116e38],
  [699.5, -7.224651632021938e-16, 6.151628372601216e303],
]

describe('exponential', () => {
  test('head and tail together are right to two units in the last place from exp(−700) to exp(700)', () => {
    for (const [head, tail, expected] of EXPONENTIALS)
      assert.ok(Math.abs(exponential(head, tail) / expected - 1) <= 4.5e-16, `exp(${head} + ${tail})`)
  })

  test('between any two roots of two it keeps to the engine’s own', () => {
    for (let x = -690; x < 690; x += 0.0137)
      assert.ok(Math.abs(exponential(x, 0) / Math.exp(x) - 1) <= 5e-16, `exp(${x})`)
  })
})
