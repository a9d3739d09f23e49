/**
 * Shortens a large result for a model: a long text becomes its first characters, and each long list its length, its first values
 * and its statistics.
 */

/** Lists up to this length are kept. */
const SHORT = 20
const FIRST = 5
/** Longer texts, such as a fitted model, are shortened. */
const LONG_TEXT = 1_000
const FIRST_CHARACTERS = 40
const MAX_INDICES = 50
const LARGEST = 10
/** A list of so few different values is counted by value. */
const FEW_VALUES = 5

export function summary(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > SHORT ? listSummary(value) : value.map(summary)
  if (typeof value === 'string' && value.length > LONG_TEXT)
    return `${value.slice(0, FIRST_CHARACTERS)}… (${value.length} characters)`
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, summary(field)]))
}

function listSummary(list: readonly unknown[]): object {
  const facts = { length: list.length, first: list.slice(0, FIRST).map(summary) }
  if (list.every(isPlain)) {
    const values = new Set(list)
    if (values.size <= FEW_VALUES) return { ...facts, ...counted(list, values) }
    return list.every((item) => typeof item === 'number') ? { ...facts, ...statistics(list) } : facts
  }
  return list.every(isCallResult) ? { ...facts, ...failures(list) } : facts
}

/** The frequency of each value, and the places of the rarest one: the anomalies among predictions, for example. */
function counted(list: readonly unknown[], values: ReadonlySet<unknown>): object {
  const counts = [...values].map((value) => ({ value, count: list.filter((item) => item === value).length }))
  const rarest = counts.reduce((a, b) => (b.count < a.count ? b : a))
  return counts.length < 2 ? { counts } : { counts, rarest: { ...rarest, at: indicesOf(list, rarest.value) } }
}

function indicesOf(list: readonly unknown[], value: unknown): number[] {
  const found: number[] = []
  for (let index = 0; index < list.length && found.length < MAX_INDICES; index++)
    if (list[index] === value) found.push(index)
  return found
}

function statistics(list: readonly number[]): object {
  const order = Uint32Array.from(list.keys()).sort((a, b) => list[b] - list[a])
  const at = (position: number) => list[order[position]]
  const middle = order.length >> 1
  return {
    min: at(order.length - 1),
    median: order.length % 2 === 1 ? at(middle) : at(middle - 1) / 2 + at(middle) / 2,
    max: at(0),
    mean: list.reduce((sum, value) => sum + value / list.length, 0),
    largest_at: [...order.subarray(0, LARGEST)],
  }
}

interface CallResult {
  readonly success: boolean
}

function failures(list: readonly CallResult[]): object {
  const failed = [...list.entries()].filter(([, { success }]) => !success)
  return {
    succeeded: list.length - failed.length,
    failed: failed.slice(0, LARGEST).map(([index, result]) => ({ index, ...result })),
  }
}

const isPlain = (item: unknown): boolean => typeof item !== 'object' || item === null

const isCallResult = (item: unknown): item is CallResult =>
  typeof item === 'object' && item !== null && 'success' in item
