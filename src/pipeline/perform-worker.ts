/** A worker thread's side of the pool: performs whole operations on bodies that were handed over. */
import { move } from 'piscina'
import { operations } from '../catalogue/index.ts'
import { type Performer, type PerformFailure, performer } from './perform.ts'

export interface Task {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The result as JSON bytes, moved and not copied; or why there is none. */
export type TaskResult = Uint8Array<ArrayBuffer> | PerformFailure

const performers = new Map<string, Performer>()
const encoder = new TextEncoder()

export default function performTask({ path, bytes }: Task): TaskResult {
  let prepared = performers.get(path)
  if (prepared === undefined) {
    prepared = performer(operations.find((operation) => operation.path === path)!)
    performers.set(path, prepared)
  }
  const performed = prepared.perform(bytes, Number.POSITIVE_INFINITY)
  if (performed.ok === true) return move(encoder.encode(performed.data)) as never
  if (performed.ok === false) return performed.failure
  throw new Error('A worker has no limit that work could be too heavy for.')
}
