/** Loaded before a node: shifts the clock of its process by QUANTD_TEST_CLOCK_SHIFT_MS. */
const shiftMs = Number(process.env.QUANTD_TEST_CLOCK_SHIFT_MS)
const Real = Date

globalThis.Date = class extends Real {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [Real.now() + shiftMs] : given) as [number]))
  }

  static override now(): number {
    return Real.now() + shiftMs
  }
} as DateConstructor
