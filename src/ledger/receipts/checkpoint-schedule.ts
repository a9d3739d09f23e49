/** Makes checkpoints every minute, when a receipt asks for one, and at a stop; appends them to the operator's file. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runsInTurn } from '../../base/coalesce.ts'
import { CHECKPOINT_EVERY_MS } from '../../base/limits/operation.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Stream } from '../proofs/group.ts'
import type { Runner } from '../store/store.ts'
import { checkpointAppender } from './checkpoint-file.ts'
import { makeCheckpoint } from './make-checkpoint.ts'

export interface Checkpoints {
  /** Resolves when a checkpoint covers all groups from before the call, unless another node is still making it. */
  make(): Promise<void>
  /** Makes the last checkpoint. */
  close(): Promise<void>
}

interface CheckpointSettings {
  readonly store: Runner
  readonly vault: Vault
  readonly retentionMs: number | null
  /** A file or pipe to which checkpoints are appended, one per line; null: none. */
  readonly file: string | null
  /** Called if the file could not be written; the next attempt appends the missing checkpoints. */
  onUnwritten(error: unknown): void
}

/** The pause of a node that finds another one making a checkpoint. */
const OTHER_NODE_MS = 100

export function openCheckpoints({
  file,
  onUnwritten,
  retentionMs,
  store,
  vault,
}: CheckpointSettings): Checkpoints {
  let eventStream: Stream | null = null
  /** Makes checkpoints until they cover all groups. */
  const cover = async (): Promise<void> => {
    for (;;) {
      const made = await store.run(makeCheckpoint, { vault, retentionMs, eventStream })
      if (made === null) return await sleep(OTHER_NODE_MS)
      eventStream = made.eventStream
      if (!made.more) return
    }
  }
  const appendMissing = file === null ? async () => undefined : checkpointAppender(store, file)
  const append = () => appendMissing().catch(onUnwritten)
  let everyMs = CHECKPOINT_EVERY_MS
  let startedAt = Number.NEGATIVE_INFINITY
  const make = runsInTurn(async () => {
    const wait = startedAt + everyMs - performance.now()
    if (wait > 0) await sleep(wait)
    startedAt = performance.now()
    // A pipe gets the checkpoints after the newest one at the first append, so that must come before this one is made.
    await append()
    await cover()
    await append()
  })
  return {
    make,
    async close() {
      everyMs = 0
      await make()
    },
  }
}
