/** Metrics whose samples are made when they are read: counting itself is then plain arithmetic without look-ups of labels. */
import type { Metric, Registry } from 'prom-client'

export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

export interface MetricName {
  readonly name: string
  readonly help: string
}

type Samples = readonly Sample[] | Promise<readonly Sample[]>

export const counter = (registry: Registry, name: MetricName, samples: () => Samples): void =>
  register(registry, name, 'counter', samples)

export const gauge = (registry: Registry, name: MetricName, samples: () => Samples): void =>
  register(registry, name, 'gauge', samples)

/** A sample without labels. */
export const one = (value: number): Sample[] => [{ labels: {}, value }]

/** Observations counted by size. */
export interface Buckets {
  readonly bounds: readonly number[]
  /** Observations per bucket: up to its bound and above the one before; the last counts those above all bounds. */
  readonly counts: number[]
  sum: number
}

export const buckets = (bounds: readonly number[]): Buckets => ({
  bounds,
  counts: Array(bounds.length + 1).fill(0),
  sum: 0,
})

export function observe(into: Buckets, value: number): void {
  const { bounds, counts } = into
  let bucket = 0
  while (bucket < bounds.length && value > bounds[bucket]) bucket += 1
  counts[bucket] += 1
  into.sum += value
}

export interface Distribution {
  readonly labels: Sample['labels']
  readonly buckets: Buckets
}

/** In the registry's form, each bound counts all observations that are not above it. */
export function histogram(
  registry: Registry,
  name: MetricName,
  distributions: () => readonly Distribution[],
): void {
  register(registry, name, 'histogram', () =>
    distributions().flatMap(({ buckets: { bounds, counts, sum }, labels }) => {
      let total = 0
      const sample = (suffix: string, value: number, more = {}) => ({
        metricName: `${name.name}_${suffix}`,
        labels: { ...labels, ...more },
        value,
      })
      const cumulative = counts.map((count, index) => {
        total += count
        return sample('bucket', total, { le: bounds[index] ?? '+Inf' })
      })
      return [...cumulative, sample('sum', sum), sample('count', total)]
    }),
  )
}

function register(
  registry: Registry,
  { help, name }: MetricName,
  type: string,
  samples: () => Samples,
): void {
  const get = async () => ({ name, help, type, values: await samples() })
  registry.registerMetric({ name, get } as unknown as Metric)
}
