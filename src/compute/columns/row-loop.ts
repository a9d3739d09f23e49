/**
 * The loop over rows, compiled for each operation: checks, computes and stores each row without lasting objects. Several threads
 * compute the rows of a large request in pieces.
 */

import { Failure } from '../../base/failure.ts'
import { openBudget, withinBudget } from '../../numerics/budget.ts'
import { DomainError } from '../../numerics/domain-error.ts'
import { digest } from '../../wire/proofs/hash.ts'
import { type Input, type Operation, workOf } from '../catalogue/operation.ts'
import type { Encoding, Result } from '../result.ts'
import { type Field, NO_WORD, type Table } from './table.ts'

/** One array per field of the output, with one item per row. */
export type Results = readonly (Float64Array | Uint8Array)[]

type Values = readonly (Float64Array | Uint8Array)[]
type Run = (
  compute: Operation['compute'],
  openBudget: (input: Input) => void,
  refused: (error: unknown, row: number) => void,
  values: Values,
  masks: Int32Array,
  results: Results,
  from: number,
  to: number,
) => void
type Work = (
  work: Operation['work'],
  refused: number,
  values: Values,
  masks: Int32Array,
  from: number,
  to: number,
) => Estimate

/** The sums over some rows. */
interface Estimate {
  /** Microseconds on one core. */
  readonly micros: number
  /** The seconds that the estimates of the rows begin, at least 1 for each. */
  readonly seconds: number
}

export function rowLoop(operation: Operation, inputs: readonly Field[], outputs: readonly Field[]) {
  const run = compiledRun(inputs, outputs)
  const openBudgetOf = (input: Input) => openBudget(workOf(operation, input))
  const work = compiledWork(inputs)
  return {
    /**
     * Computes the rows from `from` to below `to` into `results`. A row that fails, because its input or its result breaks
     * a rule or the computation refuses it, gets NaN and NO_WORD. Returns the failed rows. Throws errors that are bugs.
     */
    run(table: Table, results: Results, from: number, to: number): readonly number[] {
      const failed: number[] = []
      const refused = (error: unknown, row: number): void => {
        if (error !== null && !(error instanceof DomainError) && !(error instanceof Failure)) throw error
        failed.push(row)
      }
      const { stackTraceLimit } = Error
      // No stacks: capturing one takes longer than a row. The failures that are reported are computed again (columns.ts).
      Error.stackTraceLimit = 0
      try {
        withinBudget(0, () =>
          run(operation.compute, openBudgetOf, refused, valuesOf(table), masksOf(table), results, from, to),
        )
      } finally {
        Error.stackTraceLimit = stackTraceLimit
      }
      return failed
    },
    /** The estimates of all rows. @param refused counts for a row without an estimate, in microseconds */
    work: (table: Table, refused: number): Estimate =>
      work(operation.work, refused, valuesOf(table), masksOf(table), 0, table.rows),
    /** The seconds that the estimates of some rows begin. */
    secondsOf(table: Table, rows: readonly number[], refused: number): number {
      const [values, masks] = [valuesOf(table), masksOf(table)]
      return rows.reduce(
        (sum, row) => sum + work(operation.work, refused, values, masks, row, row + 1).seconds,
        0,
      )
    },
  }
}

const valuesOf = ({ columns }: Table): Values => columns.map(({ values }) => values)

/** A scalar is read at index 0 in every row. */
const masksOf = ({ columns }: Table): Int32Array =>
  Int32Array.from(columns, ({ isScalar }) => (isScalar ? 0 : -1))

function compiledRun(inputs: readonly Field[], outputs: readonly Field[]): Run {
  const source = `
    ${takenOut(inputs)}
    ${outputs.map((_, index) => `const result${index} = results[${index}]`).join('\n')}
    for (let row = from; row < to; row++) {
      ${inputs.map((field, index) => `const in${index} = ${read(index, field)}`).join('\n')}
      let error = null
      if (!(${inputs.map((field, index) => broken(field, `in${index}`)).join(' || ')})) {
        try {
          const input = { ${inputs.map(({ name }, index) => `${JSON.stringify(name)}: in${index}`).join(', ')} }
          openBudget(input)
          const result = compute(input)
          ${outputs.map((field, index) => `const out${index} = ${stored(field)}`).join('\n')}
          if (!(${outputs.map((field, index) => unusable(field, `out${index}`)).join(' || ')})) {
            ${outputs.map((_, index) => `result${index}[row] = out${index}`).join('\n')}
            continue
          }
        } catch (thrown) {
          error = thrown
        }
      }
      refused(error, row)
      ${outputs.map(({ words }, index) => `result${index}[row] = ${words === null ? 'NaN' : NO_WORD}`).join('\n')}
    }`
  const body = `'use strict'\n${source}`
  const names = ['words', 'compute', 'openBudget', 'refused', 'values', 'masks', 'results', 'from', 'to']
  return new Function(...names, body).bind(null, wordsOf(inputs)) as Run
}

function compiledWork(inputs: readonly Field[]): Work {
  const body = `'use strict'
    ${takenOut(inputs)}
    let micros = 0
    let seconds = 0
    for (let row = from; row < to; row++) {
      const estimate = work({ ${inputs.map((field, index) => `${JSON.stringify(field.name)}: ${read(index, field)}`).join(', ')} })
      const known = estimate > 0 && estimate < Infinity ? estimate : refused
      micros += known
      seconds += known > 1e6 ? Math.ceil(known / 1e6) : 1
    }
    return { micros, seconds }`
  const made = new Function('words', 'work', 'refused', 'values', 'masks', 'from', 'to', body)
  return made.bind(null, wordsOf(inputs)) as Work
}

const wordsOf = (fields: readonly Field[]) => fields.map(({ words }) => words)

const takenOut = (inputs: readonly Field[]): string =>
  inputs
    .map((_, i) => `const values${i} = values[${i}], mask${i} = masks[${i}], words${i} = words[${i}]`)
    .join('\n')

const read = (index: number, { words }: Field): string => {
  const value = `values${index}[row & mask${index}]`
  return words === null ? value : `words${index}[${value}]`
}

/** An expression that is true where a value breaks the rules of its field. */
function broken({ rules, words }: Field, value: string): string {
  if (words !== null) return `${value} === undefined`
  const { exclusiveMaximum, exclusiveMinimum, maximum, minimum, type } = rules
  const conditions = [
    type === 'integer' ? `Number.isInteger(${value})` : `${value} - ${value} === 0`,
    ...(minimum === undefined ? [] : [`${value} >= ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`${value} > ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`${value} <= ${maximum}`]),
    ...(exclusiveMaximum === undefined ? [] : [`${value} < ${exclusiveMaximum}`]),
  ]
  return `!(${conditions.join(' && ')})`
}

/** An expression that is true where a number or the place of a word breaks the rules of a field of the result. */
function unusable(field: Field, value: string): string {
  if (field.words !== null) return `${value} === ${NO_WORD}`
  // A field that the result lacks is NaN.
  return field.isOptional ? `(${value} === ${value} && ${broken(field, value)})` : broken(field, value)
}

/** An expression for the item that stores a field of the result: its number, or the place of its word in the list. */
function stored({ name, words }: Field): string {
  const value = `result[${JSON.stringify(name)}]`
  // JSON prints −0 as 0; adding 0 gives the same in Arrow.
  if (words === null) return `${value} + 0`
  return words.reduceRight(
    (rest, word, code) => `${value} === ${JSON.stringify(word)} ? ${code} : ${rest}`,
    String(NO_WORD),
  )
}

/** Checked rows, and room for their results, in arrays that threads share. */
export interface Rows {
  readonly table: Table
  /** The seconds that the estimates of all rows begin. */
  readonly seconds: number
  readonly results: Results
  /** The first row that no thread has taken. */
  readonly next: Int32Array
  /** The body that the rows were read from, if threads share it: one of them hashes it. */
  readonly body: Uint8Array | null
  /** 1: a thread has begun to hash the body. */
  readonly isBodyTaken: Int32Array
  /** The format of the reply. */
  readonly encoding: Encoding
}

/** Hashes the body (SHA-256, hexadecimal) while other threads compute rows; null: another thread does, or it is not shared. */
export const takenDigest = ({ body, isBodyTaken }: Rows): string | null =>
  body !== null && Atomics.exchange(isBodyTaken, 0, 1) === 0 ? digest(body) : null

/** The outcome of consecutive rows; their results are in `Rows.results`. */
export interface Piece {
  /** The first of the rows. */
  readonly from: number
  readonly failed: readonly number[]
  /** For a JSON reply: the printed results of each output. */
  readonly texts: readonly (string | Uint8Array)[]
}

export interface InPieces {
  run(rows: Rows, from: number, to: number): Piece
  /** @param done the pieces of all rows, in order */
  finish(rows: Rows, done: readonly Piece[]): Result | Failure
}
