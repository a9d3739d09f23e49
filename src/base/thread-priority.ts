/** The priority of threads that work beside the event loop, which goes first if cores are short. */
import { constants, getPriority, setPriority } from 'node:os'

/** By how much such a thread's nice value exceeds that of the event loop. */
const NICER_BY = 10

/** Lowers the priority of the calling thread. On Linux only: elsewhere it would be that of the whole process. */
export function yieldToEventLoop(): void {
  if (process.platform === 'linux')
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICER_BY))
}
