/** The results of many rows in one request: compact, and the few points that a picture shows. */

const MOST_POINTS = 2_000

export const rowResults = {
  resultOf: ({ columns, ...summary }) => ({
    ...summary,
    outputs: Object.entries(columns).map(([name, values]) => packed(name, values)),
  }),
  model: (_, { outputs, rows, succeeded }) => ({ ...pointsOf(outputs), rows, succeeded }),
}

/** Numbers as a Float64Array, NaN in a row that failed; words as places in their list, -1 in a row that failed. */
function packed(name, values) {
  if (!values.some((value) => typeof value === 'string'))
    return { name, words: null, values: Float64Array.from(values, (value) => value ?? Number.NaN) }
  const words = [...new Set(values)].filter((word) => word !== null)
  const places = new Map(words.map((word, place) => [word, place]))
  return { name, words, values: Float64Array.from(values, (value) => places.get(value) ?? -1) }
}

/** Of the first output that is a number: its range, and rows at even distances. */
function pointsOf(outputs) {
  const { name, values } = outputs.find(({ words }) => words === null) ?? { name: null, values: [] }
  const step = Math.max(1, Math.ceil(values.length / MOST_POINTS))
  const made = { name, low: Infinity, high: -Infinity, places: [], shown: [] }
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (Number.isNaN(value)) continue
    made.low = Math.min(made.low, value)
    made.high = Math.max(made.high, value)
    if (row % step !== 0) continue
    made.places.push(row + 1)
    made.shown.push(value)
  }
  return made
}
