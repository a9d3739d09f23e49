/**
 * Blocks of memory that the event loop shares with threads. They are reused, because the system takes longer to provide fresh
 * memory than the service to fill it.
 */
import { BODY_BLOCK_BYTES, BODY_BLOCKS } from '../../base/limits/callers.ts'

export function blockPool() {
  const idle: SharedArrayBuffer[] = []
  let inUse = 0
  return {
    /**
     * Returns a block, which may hold bytes of earlier requests: only what was written may be read. null: all are in use.
     */
    take(): SharedArrayBuffer | null {
      if (inUse === BODY_BLOCKS) return null
      inUse += 1
      // The system commits its memory only as it fills.
      return idle.pop() ?? new SharedArrayBuffer(BODY_BLOCK_BYTES)
    },
    /** @param block null: it must not be used again */
    giveBack(block: SharedArrayBuffer | null): void {
      inUse -= 1
      if (block !== null) idle.push(block)
    },
  }
}
