/** The metrics of a node in the last minutes, and the values that the causes of alerts read from them. */

/** A sample of a metric, as Prometheus would scrape it. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

interface Reading {
  readonly atMs: number
  readonly samples: readonly Sample[]
}

type Where = (labels: Sample['labels']) => boolean

/** Readings in their order, the newest last. Counters begin at 0 with the process. */
export class Readings {
  readonly #readings: Reading[]
  readonly #keptMs: number

  constructor(startedAtMs: number, keptMs: number) {
    this.#readings = [{ atMs: startedAtMs, samples: [] }]
    this.#keptMs = keptMs
  }

  add(reading: Reading): void {
    this.#readings.push(reading)
    // One reading from before the span is kept, as the start of its growth.
    while (reading.atMs - (this.#readings[1]?.atMs ?? reading.atMs) >= this.#keptMs) this.#readings.shift()
  }

  get #last(): Reading {
    return this.#readings[this.#readings.length - 1]
  }

  /** The sum over a metric's samples; null: it has none. */
  now(name: string): number | null {
    return sumOf(this.#last, name, () => true)
  }

  /** The growth of a counter in the last `spanMs`, or since the process began, and that time in seconds. */
  grown(name: string, spanMs: number, where: Where = () => true): { by: number; seconds: number } {
    const last = this.#last
    const earlier = this.#readings.findLast(({ atMs }) => atMs <= last.atMs - spanMs) ?? this.#readings[0]
    const by = (sumOf(last, name, where) ?? 0) - (sumOf(earlier, name, where) ?? 0)
    return { by: Math.max(0, by), seconds: Math.max(1, (last.atMs - earlier.atMs) / 1_000) }
  }

  /** A quantile of a histogram's observations in the last `spanMs`, as Prometheus estimates it; null: there are none. */
  quantile(name: string, part: number, spanMs: number, where: Where = () => true): number | null {
    const bucket = `${name}_bucket`
    const bounds = [
      ...new Set(
        this.#last.samples
          .filter((sample) => sample.name === bucket && where(sample.labels))
          .map(({ labels }) => String(labels.le)),
      ),
    ].sort((a, b) => boundOf(a) - boundOf(b))
    const counts = bounds.map(
      (le) => this.grown(bucket, spanMs, (labels) => String(labels.le) === le && where(labels)).by,
    )
    const total = counts.at(-1) ?? 0
    if (total === 0) return null
    const index = counts.findIndex((count) => count >= part * total)
    const lower = index === 0 ? 0 : boundOf(bounds[index - 1])
    const upper = boundOf(bounds[index])
    if (upper === Number.POSITIVE_INFINITY) return lower
    const below = index === 0 ? 0 : counts[index - 1]
    return lower + ((upper - lower) * (part * total - below)) / (counts[index] - below)
  }
}

const boundOf = (le: string): number => (le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le))

function sumOf({ samples }: Reading, name: string, where: Where): number | null {
  let sum: number | null = null
  for (const sample of samples)
    if (sample.name === name && where(sample.labels)) sum = (sum ?? 0) + sample.value
  return sum
}
