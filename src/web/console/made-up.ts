/** Pseudo-random numbers for the samples of operations, the same each time. */

/** A number from 0 to 1 for row `i`; another `salt` gives other numbers. */
export const madeUp = (i: number, salt: number): number =>
  Math.abs((Math.sin(i * 127.1 + salt * 311.7) * 43758.5453) % 1)
