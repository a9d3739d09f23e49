/** The results of a request of many rows in typed arrays, and the few points that a picture of a batch shows. */
import { extent } from '../pictures/sampling.ts'

const MOST_POINTS = 2_000

/** A result of each row: numbers, or indices into words; a row that failed has NaN or -1. */
export interface OutputColumn {
  readonly name: string
  readonly words: readonly string[] | null
  readonly values: Float64Array
}

interface ColumnsData {
  readonly columns: Readonly<Record<string, readonly (number | string | null)[]>>
  readonly rows: number
  readonly succeeded: number
  /** The messages of the first rows that failed. */
  readonly errors: readonly {
    readonly row: number
    readonly message: string
    readonly details?: readonly { readonly path: string }[]
  }[]
}

export type RowsResult = Omit<ColumnsData, 'columns'> & { readonly outputs: readonly OutputColumn[] }

export const rowResults = {
  resultOf: ({ columns, ...summary }: ColumnsData): RowsResult => ({
    ...summary,
    outputs: Object.entries(columns).map(([name, values]) => columnOf(name, values)),
  }),
  /** `name`: the name of the first output that is a number. */
  model: (_: unknown, { outputs, rows, succeeded }: RowsResult) => ({
    name: outputs.find(({ words }) => words === null)?.name ?? null,
    rows,
    succeeded,
  }),
}

function columnOf(name: string, values: readonly (number | string | null)[]): OutputColumn {
  if (!values.some((value) => typeof value === 'string'))
    return {
      name,
      words: null,
      values: Float64Array.from(values, (value) => (value as number | null) ?? Number.NaN),
    }
  const words = [...new Set(values)].filter((word) => word !== null) as string[]
  const places = new Map(words.map((word, place) => [word, place]))
  return { name, words, values: Float64Array.from(values, (value) => places.get(value as string) ?? -1) }
}

/** The extent of the values, and a sample of them at even distances, without NaN; `places` are counted from 1. */
export function sampleOf(values: readonly number[]) {
  const step = Math.max(1, Math.ceil(values.length / MOST_POINTS))
  const places: number[] = []
  for (let row = 0; row < values.length; row += step) if (!Number.isNaN(values[row])) places.push(row + 1)
  return { extent: extent(values), step, places, shown: places.map((place) => values[place - 1]) }
}
