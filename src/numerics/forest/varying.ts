/** Columns of a matrix that are not constant, and rows that are equal. */
import type { Matrix } from '../matrices/matrix.ts'

/** The numbers of the columns that are not constant, ascending. */
export function varyingColumns({ values, rows, columns }: Matrix): Uint16Array {
  const varies = new Uint8Array(columns)
  let left = columns
  for (let row = 1; row < rows && left > 0; row++) {
    const start = row * columns
    for (let column = 0; column < columns; column++) {
      if (varies[column] === 1 || values[start + column] === values[column]) continue
      varies[column] = 1
      left--
    }
  }
  return Uint16Array.from({ length: columns }, (_, column) => column).filter((column) => varies[column] === 1)
}

/** By row, the number of the first row that is equal to it. Rows of one hash are sorted, however many there are of them. */
export function equalRows({ values, rows, columns }: Matrix): Uint32Array {
  const first = new Uint32Array(rows)
  const byHash = new Map<number, number[]>()
  for (let row = 0; row < rows; row++) {
    const hash = hashOf(values, row * columns, columns)
    const others = byHash.get(hash)
    if (others === undefined) byHash.set(hash, [row])
    else others.push(row)
  }
  const compare = (one: number, other: number) => compared(values, one * columns, other * columns, columns)
  for (const alike of byHash.values()) {
    // A stable sort: of equal rows the first stays first.
    if (alike.length > 1) alike.sort(compare)
    let before = alike[0]
    first[before] = before
    for (const row of alike) {
      first[row] = compare(before, row) === 0 ? first[before] : row
      before = row
    }
  }
  return first
}

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)

/** FNV-1a (Fowler, Noll & Vo) over 32-bit words, −0 taken as 0. */
function hashOf(values: Float64Array, start: number, count: number): number {
  let hash = 0x811c9dc5
  for (let cell = start; cell < start + count; cell++) {
    float[0] = values[cell] + 0
    hash = Math.imul(hash ^ words[0], 0x01000193)
    hash = Math.imul(hash ^ words[1] ^ (hash >>> 15), 0x01000193)
  }
  return hash
}

/** The sign of the first difference of two rows; 0 where they are equal. */
function compared(values: Float64Array, one: number, other: number, count: number): number {
  for (let cell = 0; cell < count; cell++) {
    const difference = values[one + cell] - values[other + cell]
    if (difference !== 0) return difference
  }
  return 0
}
