/** Pseudo-random numbers for the samples of operations, the same each time. */
// @ts-nocheck: to be converted

/** A number from 0 to 1 for row `i`; another `salt` gives other numbers. */
export const madeUp = (i, salt) => Math.abs((Math.sin(i * 127.1 + salt * 311.7) * 43758.5453) % 1)
