/** The processes that a server consists of, by /proc: whether they run, what they use, and how they are stopped or killed. */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'

interface Process {
  readonly pid: number
  readonly state: string
  readonly parent: number
  /** Processor time in hundredths of a second (USER_HZ), of the process and of its children that have ended. */
  readonly ticks: number
  readonly ticksOfEnded: number
  /** The time of the start, in ticks since the start of the machine. */
  readonly startedAt: number
}

/** Reads proc_pid_stat(5): `pid (name) state parent …`, where the name may have spaces and parentheses. null: it has ended. */
function processOf(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [parent = 0, ...numbers] = rest.map(Number)
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = numbers.slice(9, 13)
    const [ticks, ticksOfEnded] = [user + system, endedUser + endedSystem]
    return { pid, state, parent, ticks, ticksOfEnded, startedAt: numbers[17] ?? 0 }
  } catch {
    return null
  }
}

const allProcesses = (): Process[] =>
  readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? (processOf(Number(entry)) ?? []) : []))

/** The ids of a process and its children in the order of their start, which is not that of the ids: these wrap around. */
export const processTree = (parent: number): number[] => [
  parent,
  ...allProcesses()
    .filter((one) => one.parent === parent)
    .sort((a, b) => a.startedAt - b.startedAt)
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

/** Blocks this thread until a signal has taken effect, because `kill` only sends it. */
function hold(isDone: () => boolean): void {
  while (!isDone()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
}

const isStopped = (pid: number): boolean => /[TtZX]/.test(processOf(pid)?.state ?? 'X')

/** Stops a process, so that it starts no other one, and lists it with its children. */
function held(parent: number): number[] {
  signal([parent], 'SIGSTOP')
  hold(() => isStopped(parent))
  return processTree(parent)
}

/** Stops a process and its children (SIGSTOP) while the work runs. */
export async function whileStopped<Result>(parent: number, work: () => Promise<Result>): Promise<Result> {
  const pids = held(parent)
  signal(pids, 'SIGSTOP')
  hold(() => pids.every(isStopped))
  try {
    return await work()
  } finally {
    signal(pids, 'SIGCONT')
  }
}

/**
 * Kills a process with its children. Returns when all have ended: the shared memory of a running PostgreSQL prevents the next
 * server from starting.
 */
export function killTree(parent: number): void {
  const victims = held(parent)
  signal(victims, 'SIGKILL')
  hold(() => !allProcesses().some(({ pid, state }) => victims.includes(pid) && state !== 'Z'))
}

/** Kills every process that works in a folder, and those that they start meanwhile: none writes there afterwards. */
export function killAllIn(folder: string): void {
  const place = realpathSync(folder) + sep
  const isThere = ({ pid }: Process): boolean => {
    try {
      return `${readlinkSync(`/proc/${pid}/cwd`)}${sep}`.startsWith(place)
    } catch {
      return false
    }
  }
  hold(() => {
    const left = allProcesses().filter(isThere)
    signal(
      left.map(({ pid }) => pid),
      'SIGKILL',
    )
    return left.length === 0
  })
}

/** Seconds of processor time that all threads of a process have used; 0 if it has ended. */
export const processorSeconds = (pid: number): number => (processOf(pid)?.ticks ?? 0) / 100

/** Seconds of processor time of a server: of its first process, its children, and those that have ended. */
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
