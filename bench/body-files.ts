/** Files of request bodies with large matrices, with the same numbers in every run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomFraction, seededRandom } from '../src/numerics/arithmetic/random.ts'

export interface BodyFiles {
  /** Writes a body with a matrix `X` of that size, padded with spaces to `bytes` where given; returns its path. */
  write(rows: number, columns: number, bytes?: number): string
  /** Writes a body as it is; returns its path. */
  keep(body: string | Uint8Array): string
  remove(): void
}

export function bodyFiles(): BodyFiles {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
  let count = 0
  const keep = (body: string | Uint8Array): string => {
    const file = join(folder, String(count++))
    writeFileSync(file, body)
    return file
  }
  return {
    write: (rows, columns, bytes = 0) => keep(matrixBody(rows, columns).padEnd(bytes)),
    keep,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function matrixBody(rows: number, columns: number): string {
  const random = seededRandom(2026)
  // Thirteen decimals: a million of them make a body of 16 MiB.
  const line = () =>
    `[${Array.from({ length: columns }, () => randomFraction(random).toFixed(13)).join(',')}]`
  return `{"X":[${Array.from({ length: rows }, line).join(',')}]}`
}
