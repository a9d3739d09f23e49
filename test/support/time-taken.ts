/** Durations for tests of time limits, without the time in which the machine did not run this process. */

/** The time in which a lost database is noticed (2 s on an idle machine), which is less than the 10 s that a statement waits. */
export const NOTICED_MS = 5_000

const TICK_MS = 10
/** Delay of a timer on an idle machine. */
const JITTER_MS = 2

/**
 * The time that some work takes. A timer runs meanwhile: the part of its delay in which this thread used no processor time is
 * subtracted, so that only computing and waiting count.
 */
export async function timeTaken<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> {
  const started = performance.now()
  let starvedMs = 0
  let last = { at: started, cpu: process.threadCpuUsage() }
  const look = () => {
    const now = { at: performance.now(), cpu: process.threadCpuUsage() }
    const usedMs = (now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system) / 1_000
    starvedMs += Math.max(0, now.at - last.at - TICK_MS - JITTER_MS - usedMs)
    last = now
  }
  const timer = setInterval(look, TICK_MS)
  try {
    const result = await work()
    look()
    return { result, ms: performance.now() - started - starvedMs }
  } finally {
    clearInterval(timer)
  }
}

/** Milliseconds of processor time that this thread spends on synchronous work. */
export function cpuTime(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { system, user } = process.threadCpuUsage(before)
  return (system + user) / 1_000
}
