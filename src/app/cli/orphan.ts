/** Notices when npm, its shell or our launcher, which wait for this process, are killed and cannot pass the signal on. */
import { readFileSync } from 'node:fs'

/** The interval between checks of these processes. */
const LOOK_MS = 500
/** The most processes that wait for this one: the launcher, the shell that started it, and npm. */
const MOST_WAITING = 3

/** @param end is called, perhaps repeatedly, once one of them has ended: nobody else would stop the service and free its port */
export function whenOrphaned(end: () => void): void {
  const own = process.pid
  const waiting = waitingFor(own)
  setInterval(() => {
    if (waiting.some((pid, index) => parentOf(waiting[index - 1] ?? own)?.pid !== pid)) end()
  }, LOOK_MS).unref()
}

/** The ids of the processes from the parent up to npm; only that of the parent if npm is not among them. */
function waitingFor(own: number): number[] {
  const pids: number[] = []
  for (let pid = own; pids.length < MOST_WAITING; ) {
    const parent = parentOf(pid)
    if (parent === null) break
    pids.push(parent.pid)
    if (parent.name.startsWith('npm ')) return pids
    pid = parent.pid
  }
  return pids.slice(0, 1)
}

/** Null: the process has ended, or its parent is not known; without /proc, only the parent of this process is known. */
function parentOf(pid: number): { readonly pid: number; readonly name: string } | null {
  const parent = pid === process.pid ? process.ppid : Number(/^PPid:\s*(\d+)/m.exec(statusOf(pid))?.[1] ?? 0)
  if (parent === 0) return null
  return { pid: parent, name: /^Name:\s*(.*)/m.exec(statusOf(parent))?.[1] ?? '' }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
