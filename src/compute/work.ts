/** Estimates of computing time that several computations use. */

/** The estimate for a call that is refused: its faults are looked for when it is run. */
export const REFUSED_MICROS = 20
