/** Notices that npm, a shell of npm or our launcher was killed: they wait for this process, and could not pass the signal on. */
import { readFileSync } from 'node:fs'

/** The time between looks at whether they live. */
const LOOK_MS = 500
/** The launcher, and the shell and npm above it. */
const MOST_WAITING = 3

/** @param end called, perhaps more than once, when one of them has ended: nobody else would know of the service and its port */
export function whenOrphaned(end: () => void): void {
  const own = process.pid
  const waiting = waitingFor(own)
  setInterval(() => {
    if (waiting.some((pid, index) => parentOf(waiting[index - 1] ?? own)?.pid !== pid)) end()
  }, LOOK_MS).unref()
}

/** The processes up to npm, the parent first; the parent alone where npm is not among them. */
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

/** Without /proc the parent of this process alone is known. Null: the process has ended, or its parent is not known. */
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
