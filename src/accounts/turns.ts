/** One at a time per subject: who logs in from many places at once is no guesser, and is not taken for one. */

import { boundedQueue } from '../bounded-queue.ts'
import { Failure } from '../errors.ts'

export type Turns = <Result>(subject: string, work: () => Promise<Result>) => Promise<Result>

const WAITING = 256

export function openTurns(): Turns {
  const lines = new Map<string, { queue: ReturnType<typeof boundedQueue>; users: number }>()
  return async (subject, work) => {
    const line = lines.get(subject) ?? {
      queue: boundedQueue({ concurrent: 1, waiting: WAITING, onFull: overloaded }),
      users: 0,
    }
    lines.set(subject, line)
    line.users++
    try {
      return await line.queue(work)
    } finally {
      line.users--
      if (line.users === 0) lines.delete(subject)
    }
  }
}

const overloaded = (): Failure =>
  new Failure('overloaded', 'Too many logins of this account at once; try again in a few seconds.', {
    retryAfterSeconds: 5,
  })
