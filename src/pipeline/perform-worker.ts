/** A worker thread's side of the pool: performs or measures bodies that were handed over. */
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import type { Answer, Extent, Performer, PerformFailure } from './perform.ts'
import { type Costs, performers } from './performers.ts'
import { envelope } from './reply.ts'

export interface Task {
  readonly kind: 'perform' | 'measure'
  readonly path: string
  readonly bytes: Uint8Array
}

/** An answer whose text is bytes in their envelope, moved and not copied. */
export interface AnswerBytes extends Omit<Answer, 'data'> {
  readonly body: Uint8Array<ArrayBuffer>
}

export type TaskResult = AnswerBytes | Extent | PerformFailure

const all = performers((workerData as Costs | null) ?? {})
const encoder = new TextEncoder()

export default function performTask({ bytes, kind, path }: Task): TaskResult {
  const performer: Performer = all.get(path)!
  if (kind === 'measure') return performer.measure(bytes)
  const performed = performer.perform(bytes, Number.POSITIVE_INFINITY)
  if (performed.ok === false) return performed.failure
  if (performed.ok === 'heavy') throw new Error('A worker has no limit that work could be too heavy for.')
  const { credits, extent, parts } = performed
  return moved({ body: encoder.encode(envelope(performed.data)), credits, extent, parts })
}

/** The form in which the pool takes a value that holds something to move. */
const moved = (answer: AnswerBytes): AnswerBytes =>
  move({ [transferableSymbol]: answer.body.buffer, [valueSymbol]: answer } as never) as unknown as AnswerBytes
