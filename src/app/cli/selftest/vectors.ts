/** The reference vectors; each file names the operation that it is about. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Case {
  readonly name: string
  readonly family?: string
  readonly input: Record<string, unknown>
  readonly expected: Record<string, unknown>
  /** Values with more digits than a double holds: of the field that `result` names, or by field. */
  readonly exact?: string | Record<string, string>
  readonly rel_tol: number
  readonly abs_tol: number
  /** Derivatives: the exact finite difference, besides the true derivative. */
  readonly fd_exact?: number
  readonly fd_abs_tol?: number
  /** Isolation forest: the label of each row, and the mean area under the ROC curve that scikit-learn reaches. */
  readonly anomaly?: number[]
  readonly sklearn_auroc_mean?: number
}

/** One JSON file of src/app/cli/selftest/vectors; its README.md explains the fields of the cases. */
export interface VectorFile {
  /** The name of the file without `.json`. */
  readonly name: string
  /** Path of the operation that the cases are about. */
  readonly path: string
  /** The field of the result that `exact` is about, if `exact` is one text. */
  readonly result?: string
  readonly cases: readonly Case[]
}

const FOLDER = new URL('vectors/', import.meta.url)

/** Every file of the folder: a new one needs no further line. */
export const vectorFiles: readonly VectorFile[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))
  .sort()
  .map((name) => ({ name, ...read(name) }))

/** The cases of one file. */
export function referenceCases<OneCase = Case>(name: string): OneCase[] {
  return read<OneCase>(name).cases
}

function read<OneCase = Case>(name: string): Omit<VectorFile, 'name' | 'cases'> & { cases: OneCase[] } {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'))
}
