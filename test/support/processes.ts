/** The processes that a server consists of, by /proc: whether they run, what they use, and how they are stopped or killed. */
import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  readonly pid: number
  readonly state: string
  readonly parent: number
  /** Clock ticks of a hundredth of a second (USER_HZ): its own, and those of its children that have ended. */
  readonly ticks: number
  readonly ticksOfEnded: number
}

/** By proc_pid_stat(5), `pid (name) state parent …`, where the name may contain spaces and parentheses; null: it has ended. */
function processOf(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [parent = 0, ...numbers] = rest.map(Number)
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = numbers.slice(9, 13)
    return { pid, state, parent, ticks: user + system, ticksOfEnded: endedUser + endedSystem }
  } catch {
    return null
  }
}

const allProcesses = (): Process[] =>
  readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? (processOf(Number(entry)) ?? []) : []))

/** The ids of a process and of its children. */
export const processTree = (parent: number): number[] => [
  parent,
  ...allProcesses()
    .filter((one) => one.parent === parent)
    .map(({ pid }) => pid),
]

/** Whether a process exists, also where nobody has reaped it yet. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // It ended by itself.
    }
}

/** Stops a process and its children (SIGSTOP) while the work runs. */
export async function whileStopped<Result>(parent: number, work: () => Promise<Result>): Promise<Result> {
  const pids = processTree(parent)
  signal(pids, 'SIGSTOP')
  try {
    return await work()
  } finally {
    signal(pids, 'SIGCONT')
  }
}

/**
 * Stops the parent first, so that it cannot start a process between listing and killing its children. Returns when
 * all have ended: the shared memory of a running PostgreSQL prevents the next server from starting.
 */
export function killTree(parent: number): void {
  process.kill(parent, 'SIGSTOP')
  const victims = processTree(parent)
  signal(victims, 'SIGKILL')
  const alive = () => allProcesses().some(({ pid, state }) => victims.includes(pid) && state !== 'Z')
  while (alive()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
}

/** Seconds of processor time that all threads of a process have used; 0 if it has ended. */
export const processorSeconds = (pid: number): number => (processOf(pid)?.ticks ?? 0) / 100

/** The same of a server: of its first process, of its children, and of those that have ended. */
export const treeSeconds = (first: number): number =>
  processTree(first).reduce((sum, pid) => sum + processorSeconds(pid), 0) +
  (processOf(first)?.ticksOfEnded ?? 0) / 100

/** Resident memory in MB, at present or at most so far; 0 if the process has ended. */
export function memoryMb(pid: number, name: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

/** The number of open file descriptors; 0 if the process has ended. */
export function descriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}
