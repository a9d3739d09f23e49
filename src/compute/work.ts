/** Limits and estimates of computing time that several computations use. */

/** The longest computing time that a request may be estimated at. */
export const MAX_WORK_MICROS = 25_000_000
/** The estimate for a call that is refused: its faults are looked for when it is run. */
export const REFUSED_MICROS = 20
