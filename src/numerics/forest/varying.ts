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

/** By row, the number of the first row that is equal to it. */
export function equalRows({ values, rows, columns }: Matrix): Uint32Array {
  const first = new Uint32Array(rows)
  const byHash = new Map<number, number[]>()
  for (let row = 0; row < rows; row++) {
    const hash = hashOf(values, row * columns, columns)
    const others = byHash.get(hash) ?? []
    const twin = others.find((other) => areEqual(values, row * columns, other * columns, columns))
    first[row] = twin ?? row
    if (twin === undefined) byHash.set(hash, [...others, row])
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

function areEqual(values: Float64Array, one: number, other: number, count: number): boolean {
  for (let cell = 0; cell < count; cell++) if (values[one + cell] !== values[other + cell]) return false
  return true
}
