/** A worker thread's side of the pool: performs whole operations on bodies that were handed over. */
import { move } from 'piscina'
import { operations } from '../catalogue/index.ts'
import { type Performed, type Performer, performer } from './perform.ts'

export interface Task {
  readonly path: string
  readonly bytes: Uint8Array
}

/** As Performed, with the text as bytes that are moved, not copied. */
export type TaskResult =
  | Exclude<Performed, { ok: true }>
  | { readonly ok: true; readonly data: Uint8Array<ArrayBuffer> }

const performers = new Map<string, Performer>()
const encoder = new TextEncoder()

export default function performTask({ path, bytes }: Task): TaskResult {
  let prepared = performers.get(path)
  if (prepared === undefined) {
    prepared = performer(operations.find((operation) => operation.path === path)!)
    performers.set(path, prepared)
  }
  const performed = prepared.perform(bytes, Number.POSITIVE_INFINITY)
  if (performed.ok !== true) return performed
  const data = encoder.encode(performed.data)
  return { ok: true, data: move(data) as unknown as Uint8Array<ArrayBuffer> }
}
