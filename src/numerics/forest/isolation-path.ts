/** Path lengths in isolation trees, and the anomaly score computed from them (Liu, Ting & Zhou 2008). */

/**
 * Path lengths are rounded to multiples of 2⁻³⁶ (1.5e-11), so that sums over up to 1,000 trees are exact: rows that reach
 * leaves of the same depths get the same score in any order of the trees.
 */
export const GRID = 2 ** 36

/**
 * c(n) = 2·H(n − 1) − 2(n − 1)/n, the average path length of an unsuccessful search in a binary search tree of n keys
 * (eq. 1, there with an approximation of the harmonic number H; here summed term by term); 0 for n = 1.
 * @returns c(0) … c(largest)
 */
export function averagePaths(largest: number): Float64Array {
  const paths = new Float64Array(largest + 1)
  let harmonic = 0
  for (let n = 2; n <= largest; n++) {
    harmonic += 1 / (n - 1)
    paths[n] = Math.round((2 * harmonic - (2 * (n - 1)) / n) * GRID) / GRID
  }
  return paths
}

/** The rows of a leaf, by what they add to the path: the inverse of `averagePaths`, 1 for 0. */
export const rowsByPath = (paths: Float64Array): Map<number, number> =>
  new Map(Array.from(paths, (path, rows) => [path, rows]))

/**
 * The score 2^(−E(h)/c(n)) (eq. 2) by additions and multiplications only: the last bits of Math.pow may differ between
 * machines.
 * @param meanPath E(h), average path length of the row, at least 0
 * @param typicalPath c(n), greater than 0
 */
export function anomalyScore(meanPath: number, typicalPath: number): number {
  const ratio = meanPath / typicalPath
  const halvings = Math.floor(ratio + 0.5)
  return exponential((halvings - ratio) * Math.LN2) / 2 ** halvings
}

/** Taylor's series of eˣ for |x| ≤ ½·ln 2, where sixteen terms are enough. */
function exponential(x: number): number {
  let sum = 1
  for (let n = 16; n >= 1; n--) sum = 1 + (x * sum) / n
  return sum
}
