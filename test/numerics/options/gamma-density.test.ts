/** The gamma clock's density against 40-digit values. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gammaDensityPeak, logDensity } from '../../../src/numerics/options/gamma-density.ts'

const PEAKS: readonly [number, number][] = [
  [1e-300, 1e-300],
  [1e-8, 9.99999811565367e-9],
  [0.001, 0.0009926954471961504],
  [0.01, 0.009508857180865053],
  [0.1, 0.07554920138253074],
  [0.37, 0.19892644203173374],
  [1.0, 0.36787944117144233],
  [2.5, 0.610207606746937],
  [7.9, 1.1095449006395839],
  [8.999, 1.185733661906503],
  [9.0, 1.1858007600857041],
  [9.001, 1.1858678544712244],
  [12.3, 1.3896994769883546],
  [100.0, 3.9860996809147133],
  [10000.0, 39.89389558962826],
  [100000000.0, 3989.422800689808],
  [10000000000000.0, 1261566.2610100694],
]
const LOG_DENSITIES: readonly [number, number][] = [
  [1e-9, -5.000000001666667e-19],
  [-1e-9, -4.999999998333334e-19],
  [0.0001, -5.0001666708334175e-9],
  [-0.01, -4.983374916805358e-5],
  [0.1, -0.005170918075647625],
  [0.3, -0.0498588075760031],
  [-0.3, -0.040818220681717865],
  [0.4999, -0.14865640681638972],
  [-0.4999, -0.10649131581135908],
  [0.51, -0.1552911949458863],
  [-0.51, -0.11049557881226595],
  [1.0, -0.7182818284590452],
  [-1.0, -0.36787944117144233],
  [3.0, -16.085536923187668],
  [-3.0, -2.049787068367864],
  [-40.0, -39.0],
]

describe('gamma clock', () => {
  test('the density at the mean is right to a few units in the last place for shapes over 320 decades', () => {
    for (const [shape, expected] of PEAKS)
      assert.ok(Math.abs(gammaDensityPeak(shape) / expected - 1) <= 2e-15, `shape ${shape}`)
  })

  test('the logarithm of the density has no cancellation next to the mean', () => {
    for (const [u, expected] of LOG_DENSITIES)
      assert.ok(Math.abs(logDensity(u, Math.exp(u)) / expected - 1) <= 4e-15, `u ${u}`)
    assert.equal(logDensity(0, 1), -0)
  })
})
