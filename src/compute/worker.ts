/** A worker thread's side of the pool: performs bodies that were handed over. */
import { once } from 'node:events'
import { constants, getPriority, setPriority } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { envelope } from '../pipeline/reply.ts'
import { type Answer, type Extent, hasFailed, type PerformFailure } from './perform.ts'
import { type Costs, performers } from './performers.ts'

export interface Task {
  readonly path: string
  readonly bytes: Uint8Array
  /** Where to ask, once the body is read, whether to go on. */
  readonly admission: MessagePort | null
}

/** An answer whose text is bytes in their envelope, moved and not copied. */
export interface AnswerBytes extends Pick<Answer, 'credits' | 'parts'> {
  readonly body: Uint8Array<ArrayBuffer>
}

/** null: not admitted, or no task at all. */
export type TaskResult = AnswerBytes | PerformFailure | null

/** The thread that answers everybody comes first where cores are short; with nothing else to do this one has all of a core. */
const NICER_BY = 10
// On Linux a priority is the calling thread's own; elsewhere it would be that of the whole process.
if (process.platform === 'linux')
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICER_BY))

const all = performers((workerData as Costs | null) ?? {})
/** What stands around the result. */
const [HEAD = '', TAIL = ''] = envelope('|').split('|')

export default async function performTask({ admission, bytes, path }: Task): Promise<TaskResult> {
  const work = all.get(path)?.read(bytes) ?? null
  if (work === null || hasFailed(work)) return work
  if (admission !== null && !(await isAdmitted(admission, work.extent))) return null
  const answer = work.perform()
  if (hasFailed(answer)) return answer
  const { credits, parts } = answer
  return moved({ body: encoded([HEAD, ...(answer.pieces ?? [answer.data]), TAIL]), credits, parts })
}

/** In memory of their own, so that it can be moved. */
function encoded(pieces: readonly string[]): Buffer<ArrayBuffer> {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  return bytes
}

async function isAdmitted(admission: MessagePort, extent: Extent): Promise<boolean> {
  admission.postMessage(extent)
  const [answer] = (await once(admission, 'message')) as [boolean]
  return answer
}

/** The form in which the pool takes a value that holds something to move. */
const moved = (answer: AnswerBytes): AnswerBytes =>
  move({ [transferableSymbol]: answer.body.buffer, [valueSymbol]: answer } as never) as unknown as AnswerBytes
