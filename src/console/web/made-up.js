/** Numbers for the samples of operations: they look random, and are the same each time. */

/** From 0 to 1, by the number of a row and of what it is for. */
export const madeUp = (i, salt) => Math.abs((Math.sin(i * 127.1 + salt * 311.7) * 43758.5453) % 1)
