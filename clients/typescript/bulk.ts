/** Sends work in chunks, a few at a time. */
import type { BulkOptions } from './options.ts'

export interface Chunk {
  readonly start: number
  readonly end: number
  /** null: each chunk gets a random one. */
  readonly idempotencyKey: string | null
}

/**
 * Resolves to the results of the chunks, in order. After a failure no further chunk is sent, and the promise rejects with it.
 * @param total the number of calls or rows
 */
export async function inChunks<Result>(
  total: number,
  usualSize: number,
  { chunk = usualSize, concurrency = 4, idempotencyKey, onProgress, signal }: BulkOptions,
  send: (chunk: Chunk) => Promise<Result>,
): Promise<Result[]> {
  const size = positive(chunk, 'chunk')
  const count = Math.ceil(total / size)
  const results = new Array<Result>(count)
  let next = 0
  let done = 0
  let failed = false
  const worker = async (): Promise<void> => {
    while (next < count && !failed) {
      const index = next++
      const start = index * size
      const end = Math.min(total, start + size)
      const key =
        idempotencyKey === undefined ? null : count === 1 ? idempotencyKey : `${idempotencyKey}-${index}`
      try {
        signal?.throwIfAborted()
        results[index] = await send({ start, end, idempotencyKey: key })
        done += end - start
        onProgress?.({ done, total })
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = Array.from({ length: Math.min(positive(concurrency, 'concurrency'), count) }, worker)
  // The promise rejects only when no request is under way, so that nothing is charged after the caller learns of a failure.
  for (const outcome of await Promise.allSettled(workers))
    if (outcome.status === 'rejected') throw outcome.reason
  return results
}

function positive(value: number, name: string): number {
  if (!Number.isInteger(value) || value < 1)
    throw new RangeError(`${name} must be a whole number from 1; it is ${value}.`)
  return value
}
