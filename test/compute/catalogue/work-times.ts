/** The time that a computation takes beside its estimate, whatever the machine and whatever else runs on it. */

import { referenceCases } from '../../../src/app/cli/selftest/vectors.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'
import type { Input, Operation } from '../../../src/compute/catalogue/operation.ts'
import { workOf } from '../../../src/compute/catalogue/operation.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'

/**
 * The median Variance Gamma price of the reference box, in microseconds, where the estimates were written
 * (bench/results/kernels.json). Measured here too, it tells how much slower this machine is, whatever else runs on it.
 */
const KNOWN_KERNEL_MICROS = 1.92

/** Processor time of this thread in microseconds; other processes do not count. */
export function micros(run: () => unknown): number {
  const before = process.threadCpuUsage()
  run()
  const { system, user } = process.threadCpuUsage(before)
  return user + system
}

/** The time of a known kernel over its time where the estimates were made; at least 1. */
export function slowness(): number {
  const operation = operations.find(({ path }) => path === '/quantlib/models/variance-gamma/price')!
  const box = referenceCases<{ family: string; input: object }>('variance_gamma')
    .filter(({ family }) => family === 'box')
    .map(({ input }) => ({ q: 0, ...input }) as Parameters<typeof operation.compute>[0])
  const times = box.map((input) => {
    const many = () => {
      for (let k = 0; k < 50; k++) operation.compute(input)
    }
    return Math.min(...[1, 2, 3].map(() => micros(many))) / 50
  })
  const median = times.sort((a, b) => a - b)[times.length >> 1]
  return Math.max(1, median / KNOWN_KERNEL_MICROS)
}

/**
 * The processor time of a computation over its estimate, scaled to the machine where the estimates were made.
 * @param slow of this machine, as `slowness` measures it
 * @param suspicious a larger share is measured again, because another program may have used the processor
 */
export function timeShare(operation: Operation, input: Input, slow: number, suspicious: number): number {
  const run = () => {
    try {
      operation.compute(input)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
  }
  const shareOf = (took: number) => took / slow / workOf(operation, input)
  const from = performance.now()
  run()
  const ms = performance.now() - from
  // The time on the clock is no less than that of the processor.
  if (shareOf(ms * 1_000) < suspicious) return shareOf(ms * 1_000)
  // Quick ones are repeated, because the clock of processor time may tick every 4 ms only.
  const repeats = Math.max(1, Math.min(200, Math.round(8 / ms)))
  const many = () => {
    for (let k = 0; k < repeats; k++) run()
  }
  const measured = () => shareOf(micros(many) / repeats)
  let share = measured()
  for (let again = 0; again < 20 && share >= suspicious; again++) share = Math.min(share, measured())
  return share
}
