/** The best of scipy's least_squares from 30 random starts, over the prices and derivatives of our own kernel. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import {
  calibrationTargets,
  type Market,
  type Quote,
} from '../../src/numerics/options/calibration/calibration-quotes.ts'
import {
  type Parameters,
  type SmileValues,
  varianceGammaSmile,
} from '../../src/numerics/options/calibration/variance-gamma-smile.ts'
import { PYTHON } from '../support/exact-python.ts'

const REQUEST_BYTES = 32

/** Residuals in the unit of prices and their derivatives by ln σ, θ and ln ν, one after the other; undefined outside the domain. */
export function calibrationObjective(market: Market, quotes: readonly Quote[]) {
  const { targets, smiles } = calibrationTargets(market, quotes)
  const list = () => new Float64Array(targets.length)
  const values: SmileValues = {
    value: list(),
    bySigma: list(),
    byTheta: list(),
    byNu: list(),
  }
  const count = targets.length
  return (parameters: Parameters): Float64Array | undefined => {
    if (!smiles.every((smile) => varianceGammaSmile(parameters, smile, values))) return
    const found = new Float64Array(4 * count)
    for (const [i, { unit, price }] of targets.entries()) {
      found[i] = unit * values.value[i] - price
      found[count + i] = unit * values.bySigma[i] * parameters.sigma
      found[2 * count + i] = unit * values.byTheta[i]
      found[3 * count + i] = unit * values.byNu[i] * parameters.nu
    }
    return found
  }
}

/** Root of the mean square of the residuals. */
export function rmseOf(found: Float64Array): number {
  const residuals = found.subarray(0, found.length / 4)
  return Math.sqrt(residuals.reduce((sum, one) => sum + one * one, 0) / residuals.length)
}

/** Yields the parameters of the best minimum of each surface, all weights 1. */
export async function* scipyMinima(market: Market, surfaces: readonly Quote[][]): AsyncGenerator<Parameters> {
  const peer = spawn(PYTHON, [join(import.meta.dirname, 'vectors/variance_gamma_starts.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const requests = requestsOf(peer.stdout)
  for (const quotes of surfaces) {
    const objective = calibrationObjective(market, quotes)
    const refused = new Float64Array(4 * quotes.length).fill(Number.NaN)
    peer.stdin.write(bytesOf(Float64Array.of(quotes.length)))
    for (;;) {
      const { value, done } = await requests.next()
      if (done) throw new Error('scipy ended before its last surface')
      const [kind, logSigma, theta, logNu] = value
      const parameters = { sigma: Math.exp(logSigma), theta, nu: Math.exp(logNu) }
      if (kind === 1) {
        yield parameters
        break
      }
      peer.stdin.write(bytesOf(objective(parameters) ?? refused))
    }
  }
  peer.stdin.end()
}

const bytesOf = (values: Float64Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength)

async function* requestsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Float64Array> {
  let held = Buffer.alloc(0)
  for await (const chunk of stream) {
    held = Buffer.concat([held, chunk])
    while (held.length >= REQUEST_BYTES) {
      yield new Float64Array(Uint8Array.from(held.subarray(0, REQUEST_BYTES)).buffer)
      held = held.subarray(REQUEST_BYTES)
    }
  }
}
