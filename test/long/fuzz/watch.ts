/** Measures a service from outside: latency of /healthz, memory, file descriptors and processor time. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWire } from './wire.ts'

export interface Health {
  readonly longestMs: number
  readonly p99Ms: number
  readonly count: number
}

const REQUEST = Buffer.from('GET /healthz HTTP/1.1\r\nHost: quantd\r\n\r\n')
const EVERY_MS = 20

/** Requests /healthz every 20 ms and records the latency of each reply. */
export function watchHealth(port: number): { stop(): Health } {
  const wire = openWire(port)
  const times: number[] = []
  let isOver = false
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const startedAt = performance.now()
      const reply = await wire.exchange([REQUEST])
      if (reply !== null) times.push(performance.now() - startedAt)
      await sleep(EVERY_MS)
    }
  }
  void watch()
  return {
    stop() {
      isOver = true
      wire.close()
      const sorted = times.sort((a, b) => a - b)
      return {
        longestMs: sorted.at(-1) ?? 0,
        p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        count: sorted.length,
      }
    },
  }
}

/** Resident memory in MB; 0 if the process has ended. */
export function residentMb(pid: number | undefined): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1_024)
  } catch {
    return 0
  }
}

/** The number of open file descriptors; 0 if the process has ended. */
export function descriptors(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** Clock ticks per second in /proc (USER_HZ, proc_pid_stat(5)). */
const TICKS = 100

/** Processor time that all threads of a process have used, in seconds; 0 if the process has ended. */
export function processorSeconds(pid: number | undefined): number {
  try {
    // The program's name, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return 0
  }
}
