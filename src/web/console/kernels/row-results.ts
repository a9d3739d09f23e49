/** The results of a request of many rows in typed arrays, and the few points that a picture of a batch shows. */
// @ts-nocheck: to be converted
import { extent } from '../pictures/sampling.ts'

const MOST_POINTS = 2_000

export const rowResults = {
  resultOf: ({ columns, ...summary }) => ({
    ...summary,
    outputs: Object.entries(columns).map(([name, values]) => columnOf(name, values)),
  }),
  /** `name`: the name of the first output that is a number. */
  model: (_, { outputs, rows, succeeded }) => ({
    name: outputs.find(({ words }) => words === null)?.name ?? null,
    rows,
    succeeded,
  }),
}

/** An output as a Float64Array of its numbers, or of indices into its words; a row that failed has NaN or -1. */
function columnOf(name, values) {
  if (!values.some((value) => typeof value === 'string'))
    return { name, words: null, values: Float64Array.from(values, (value) => value ?? Number.NaN) }
  const words = [...new Set(values)].filter((word) => word !== null)
  const places = new Map(words.map((word, place) => [word, place]))
  return { name, words, values: Float64Array.from(values, (value) => places.get(value) ?? -1) }
}

/** The extent of the values, and a sample of them at even distances, without NaN; `places` are counted from 1. */
export function sampleOf(values) {
  const step = Math.max(1, Math.ceil(values.length / MOST_POINTS))
  const places = []
  for (let row = 0; row < values.length; row += step) if (!Number.isNaN(values[row])) places.push(row + 1)
  return { extent: extent(values), step, places, shown: places.map((place) => values[place - 1]) }
}
