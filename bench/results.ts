/** The kept results, as the documents read them. */
import { existsSync, readFileSync } from 'node:fs'
import type { Kept, Row } from './record.ts'

const RESULTS = new URL('results/', import.meta.url)

/** The content of `bench/results/<name>.json`; undefined if there is none. */
export function read<Content = Kept>(name: string): Content | undefined {
  const file = new URL(`${name}.json`, RESULTS)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Content) : undefined
}

/** @throws where the part was never measured: a document cannot quote it. */
export function kept(name: string): Kept {
  const part = read(name)
  if (part === undefined) throw new Error(`bench/results/${name}.json is missing; run: npm run bench ${name}`)
  return part
}

/** One line of a part's table. */
export function rowOf(part: Kept, id: string): Row {
  const row = part.rows.find((one) => one.id === id)
  if (row === undefined) throw new Error(`bench/results/${part.part}.json has no row ${id}`)
  return row
}

/** Three significant digits, thousands separated: 19,500; 0.508. */
export const figureText = (value: number): string =>
  value >= 1_000
    ? Math.round(Number(value.toPrecision(3))).toLocaleString('en')
    : String(Number(value.toPrecision(3)))
