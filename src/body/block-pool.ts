/** Blocks of memory that the event loop shares with threads. They are reused, because the pages of fresh memory cost more than filling them. */
import { BODY_BLOCK_BYTES, BODY_BLOCKS } from '../limits.ts'

interface BlockPool {
  /** Returns a block that holds remains of earlier requests: read nothing from it but what was written. null: all are in use. */
  take(): SharedArrayBuffer | null
  /** @param block null: it must not be used again */
  giveBack(block: SharedArrayBuffer | null): void
}

export function blockPool(): BlockPool {
  const idle: SharedArrayBuffer[] = []
  let inUse = 0
  return {
    take() {
      if (inUse === BODY_BLOCKS) return null
      inUse += 1
      // The system commits its memory only as it fills.
      return idle.pop() ?? new SharedArrayBuffer(BODY_BLOCK_BYTES)
    },
    giveBack(block) {
      inUse -= 1
      if (block !== null) idle.push(block)
    },
  }
}
