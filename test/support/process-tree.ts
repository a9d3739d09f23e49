/** The processes that a server consists of, by /proc; whether they run, and how they are stopped for a while. */
import { readdirSync, readFileSync } from 'node:fs'

/** The ids of a process and of its children. */
export function processTree(parent: number): number[] {
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        return false
      }
    })
  return [parent, ...children.map(Number)]
}

/** Whether a process exists, also where nobody has reaped it yet. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Stops a process and its children (SIGSTOP) while the work runs. */
export async function whileStopped<Result>(parent: number, work: () => Promise<Result>): Promise<Result> {
  const pids = processTree(parent)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids)
      try {
        process.kill(pid, name)
      } catch {
        // It ended by itself.
      }
  }
  signal('SIGSTOP')
  try {
    return await work()
  } finally {
    signal('SIGCONT')
  }
}
