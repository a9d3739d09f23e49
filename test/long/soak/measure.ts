/** Memory and file descriptors of a process over time, and the slope of memory by linear regression. */
import { readFileSync } from 'node:fs'
import { processTree } from '../../support/process-tree.ts'
import { descriptors, residentMb } from '../fuzz/watch.ts'

export interface Slope {
  readonly mbPerMinute: number
  /** Standard error of the slope. */
  readonly error: number
  readonly windows: number
  readonly firstMb: number
  readonly lastMb: number
}

export interface Sampler {
  stop(): Slope
}

const SAMPLE_MS = 500
/** A reply of 503 arrives within 2 s of the time that its cause began, or later on such a machine. */
const STARVED_MS = 15_000
/** The minimum of each window is used, because uncollected garbage varies within seconds. */
const SAMPLES_PER_WINDOW = 10

/** Samples the resident memory of the process that `pid` returns. */
export function sampleMemory(pid: () => number | undefined): Sampler {
  const samples: number[] = []
  const timer = setInterval(() => samples.push(residentMb(pid())), SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      const windows: number[] = []
      for (let start = 0; start + SAMPLES_PER_WINDOW <= samples.length; start += SAMPLES_PER_WINDOW)
        windows.push(Math.min(...samples.slice(start, start + SAMPLES_PER_WINDOW)))
      return regression(windows, (SAMPLES_PER_WINDOW * SAMPLE_MS) / 60_000)
    },
  }
}

export interface Starvation {
  /** Whether a process waited for a processor for a third of the last seconds: its time-outs then expire unread. */
  isStarved(): boolean
  /** Seconds in which one was. */
  stop(): number
}

/** Samples the time that the processes below those which `pids` returns were ready to run and had no processor. */
export function watchStarvation(pids: () => readonly (number | undefined)[]): Starvation {
  const waited = new Map<number, number>()
  let starvedUntil = 0
  let samples = 0
  const timer = setInterval(() => {
    let isStarved = false
    for (const pid of pids().flatMap((root) => (root === undefined ? [] : processTree(root)))) {
      const ms = runQueueMs(pid)
      if (ms === null) continue
      isStarved ||= ms - (waited.get(pid) ?? ms) > SAMPLE_MS / 3
      waited.set(pid, ms)
    }
    if (!isStarved) return
    samples += 1
    starvedUntil = performance.now() + STARVED_MS
  }, SAMPLE_MS)
  return {
    isStarved: () => performance.now() < starvedUntil,
    stop() {
      clearInterval(timer)
      return (samples * SAMPLE_MS) / 1_000
    },
  }
}

/** By proc(5), the second number of schedstat; null where the process has ended. */
function runQueueMs(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return null
  }
}

/** Linear regression (least squares) over values that are `step` minutes apart. */
export function regression(values: readonly number[], step: number): Slope {
  const n = values.length
  const ends = { windows: n, firstMb: values[0] ?? 0, lastMb: values.at(-1) ?? 0 }
  if (n < 3) return { mbPerMinute: 0, error: 0, ...ends }
  const meanX = ((n - 1) / 2) * step
  const meanY = values.reduce((sum, value) => sum + value, 0) / n
  const spread = values.reduce((sum, _, index) => sum + (index * step - meanX) ** 2, 0)
  const mbPerMinute =
    values.reduce((sum, value, index) => sum + (index * step - meanX) * (value - meanY), 0) / spread
  const rest = values.reduce(
    (sum, value, index) => sum + (value - meanY - mbPerMinute * (index * step - meanX)) ** 2,
    0,
  )
  return { mbPerMinute, error: Math.sqrt(rest / (n - 2) / spread), ...ends }
}

/** The least number of open descriptors within 5 s; returns early once it is at most `base`. */
export async function restingDescriptors(
  pid: number | undefined,
  base: number | null,
  sleep: (ms: number) => Promise<unknown>,
): Promise<number> {
  let least = descriptors(pid)
  for (let look = 0; look < 20 && (base === null || least > base); look++) {
    await sleep(250)
    least = Math.min(least, descriptors(pid))
  }
  return least
}
