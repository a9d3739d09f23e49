/** The values of two runs that differ. */
import { labelOf, wordFor } from '../labels.ts'
import { plural, short, whole } from '../numbers.ts'
import type { Values } from '../operation.ts'
import type { Run } from './kept-runs.ts'

/** The texts of a row: its label, the values of both runs, and how far they are apart. */
export type Difference = readonly [label: string, a: string, b: string, apart: string]

export interface Differences {
  readonly rows: readonly Difference[]
  /** The number of values that are the same. */
  readonly same: number
}

export function inputDifferences(a: Run, b: Run): Differences {
  const [given, other] = [a, b].map(({ given }) => (given.columns ?? given) as Values)
  const sources = [a, b].map(({ source }) => source)
  const rows = valueDifferences(given, other)
  if (sources[0] === null && sources[1] === null) return rows
  const tables = pair('Table', tableText(a), tableText(b), isSameTable(a, b))
  const meanings = pair('Meaning of the columns', meaningText(a), meaningText(b), isSameMeaning(a, b))
  const more = [tables, meanings].filter((row) => row !== null)
  return { rows: [...rows.rows, ...more], same: rows.same + 2 - more.length }
}

const pair = (label: string, a: string, b: string, isSame: boolean): Difference | null =>
  isSame ? null : [label, a, b, 'other']

const tableText = ({ source }: Run): string => {
  if (source === null) return '–'
  const names = [source.file, source.beside].flatMap((file) => (file === null ? [] : [file.name]))
  return names.length > 0
    ? names.join(', ')
    : `typed, ${plural(source.text.trim().split('\n').length, 'line')}`
}

const isSameTable = (a: Run, b: Run): boolean => {
  const [one, other] = [a, b].map(({ source }) =>
    JSON.stringify([
      ...[source?.file, source?.beside].map((file) => file && [file.name, file.size, file.lastModified]),
      ...[source?.text, source?.sheet, source?.types, source?.taken],
    ]),
  )
  return one === other
}

const meaningText = ({ source }: Run): string => {
  const { fields = {}, used = [] } = source?.mapping ?? {}
  const named = Object.entries(fields).map(([field, i]) => `${labelOf(field)}: ${source?.columns[i]}`)
  return named.length > 0 ? named.join('; ') : `${plural(used.length, 'column')} used`
}

const isSameMeaning = (a: Run, b: Run): boolean => {
  const [one, other] = [a, b].map(({ source }) => {
    const { fields, units, meanings, used, names, isTurned, order } = source?.mapping ?? {}
    return JSON.stringify({ fields, units, meanings, used, names, isTurned, order })
  })
  return one === other
}

/** Two objects of inputs or answers. Lists are compared value by value and shown as one row. */
export function valueDifferences(a: Values, b: Values): Differences {
  const rows: Difference[] = []
  let same = 0
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [one, other] = [a[name], b[name]]
    if (JSON.stringify(one) === JSON.stringify(other)) same++
    else rows.push([labelOf(name), textOf(one), textOf(other), apartOf(one, other)])
  }
  return { rows, same }
}

const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? '–'
    : typeof value === 'number'
      ? String(value)
      : typeof value === 'object'
        ? plural(leavesOf(value).length, 'value')
        : wordFor(value)

/** How far two values are apart: their difference, or how many values of two lists differ. */
function apartOf(a: unknown, b: unknown): string {
  if (typeof a === 'number' && typeof b === 'number') {
    const found = Number((b - a).toPrecision(10))
    return `${found > 0 ? '+' : ''}${short(found)}`
  }
  const [one, other] = [leavesOf(a), leavesOf(b)]
  if (typeof a !== 'object' || typeof b !== 'object' || one.length !== other.length) return 'other'
  const places = one.flatMap((value, i) => (value === other[i] ? [] : [i]))
  const most = places.reduce((far, i) => Math.max(far, Math.abs(Number(other[i]) - Number(one[i]))), 0)
  return `${whole(places.length)} of ${whole(one.length)} differ${most > 0 ? `, by at most ${short(most)}` : ''}`
}

/** The values of nested lists and objects. */
const leavesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]
