/** Metrics whose samples are made when they are read, so that counting is plain arithmetic without look-ups of labels. */
import type { Metric, Registry } from 'prom-client'

export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

type Samples = readonly Sample[] | Promise<readonly Sample[]>

export type Kinds = ReturnType<typeof kindsIn>

/** Functions that register metrics of each kind. */
export function kindsIn(registry: Registry) {
  const metric =
    (type: 'counter' | 'gauge' | 'histogram') => (name: string, help: string, samples: () => Samples) => {
      const get = async () => ({ name, help, type, values: await samples() })
      registry.registerMetric({ name, get } as unknown as Metric)
    }
  return {
    counter: metric('counter'),
    gauge: metric('gauge'),
    histogram: (name: string, help: string, distributions: () => readonly Distribution[]) =>
      metric('histogram')(name, help, () => distributions().flatMap((one) => samplesOf(name, one))),
  }
}

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

interface Distribution {
  readonly labels: Sample['labels']
  readonly buckets: Buckets
}

/** In the registry's form, each bound counts all observations that are not above it. */
function samplesOf(name: string, { buckets: { bounds, counts, sum }, labels }: Distribution) {
  let total = 0
  const sample = (suffix: string, value: number, more = {}) => ({
    metricName: `${name}_${suffix}`,
    labels: { ...labels, ...more },
    value,
  })
  const cumulative = counts.map((count, index) => {
    total += count
    return sample('bucket', total, { le: bounds[index] ?? '+Inf' })
  })
  return [...cumulative, sample('sum', sum), sample('count', total)]
}
