/** Makes checkpoints every minute, when a receipt asks for one, and at a stop; appends them to the operator's file. */
import { closeSync, constants, existsSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { runsInTurn } from '../../base/coalesce.ts'
import { CHECKPOINT_EVERY_MS } from '../../base/limits/operation.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Stream } from '../proofs/group.ts'
import { rows, type Sql, type Transaction } from '../store/sql.ts'
import type { Runner } from '../store/store.ts'
import type { KeptCheckpoint } from './checkpoint-text.ts'
import { checkpointIn } from './given-checkpoints.ts'
import { lastCheckpoint, makeCheckpoint } from './make-checkpoint.ts'
import { type FoundReceipt, receiptOf } from './receipt.ts'

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

const PAUSE_MS = 100
const PAGE = 500
/** The end of the file in which the last checkpoint is searched; longer than any checkpoint. */
const TAIL_BYTES = 4 * 1024 * 1024

export function openCheckpoints({
  file,
  onUnwritten,
  store,
  vault,
  retentionMs,
}: CheckpointSettings): Checkpoints {
  let eventStream: Stream | null = null
  let pauseMs = CHECKPOINT_EVERY_MS
  let startedAt = Number.NEGATIVE_INFINITY
  const appended = file === null ? async () => undefined : appender(store, file)
  const append = () => appended().catch(onUnwritten)
  const make = runsInTurn(async () => {
    const wait = startedAt + pauseMs - performance.now()
    if (wait > 0) await sleep(wait)
    startedAt = performance.now()
    // A pipe gets the checkpoints after the newest one at the first append, so that must come before this one is made.
    await append()
    for (let more = true; more; ) {
      const made = await store.run(makeCheckpoint, { vault, retentionMs, eventStream })
      if (made !== null) eventStream = made.eventStream
      else await sleep(PAUSE_MS)
      more = made?.more ?? false
    }
    await append()
  })
  return {
    make,
    async close() {
      pauseMs = 0
      await make()
    },
  }
}

/** Appends the checkpoints after the last one in the file that the database has; to a pipe, those after the newest one at the first call. */
function appender(store: Runner, file: string): () => Promise<void> {
  let appended: number | null = null
  return async () => {
    let after = appended ?? lastWritten(file, (await store.run(lastCheckpoint))?.number ?? 0)
    for (let isMore = true; isMore; ) {
      const page = await store.run(checkpointLines, after, PAGE)
      // Each line begins with its line break, because a crash may have cut the line before it.
      if (page.length > 0) write(file, page.map(({ line }) => `\n${line}`).join(''))
      after = page.at(-1)?.number ?? after
      appended = after
      isMore = page.length === PAGE
    }
  }
}

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants

/** Fails if a pipe has no reader or is full, instead of blocking the service. */
function write(file: string, text: string): void {
  const handle = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600)
  try {
    writeFileSync(handle, text)
  } finally {
    closeSync(handle)
  }
}

/** @param newest the number of the newest checkpoint; after a restored backup the file may have later ones */
const lastWritten = (file: string, newest: number): number =>
  isRegular(file) ? Math.min(lastNumberIn(file), newest) : newest

const isRegular = (file: string): boolean => !existsSync(file) || statSync(file).isFile()

function lastNumberIn(file: string): number {
  if (!existsSync(file)) return 0
  const { size } = statSync(file)
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
  const handle = openSync(file, 'r')
  readSync(handle, tail, 0, tail.length, size - tail.length)
  closeSync(handle)
  const numbers = tail
    .toString()
    .split('\n')
    .flatMap((line) => checkpointIn(line)?.checkpoint.number ?? [])
  return Math.max(0, ...numbers)
}

/** The signed checkpoints whose numbers are greater than `after`, in order, each also as a line of JSON. */
export function* checkpointLines(
  { db }: Pick<Sql, 'db'>,
  after: number,
  limit: number,
): Transaction<(KeptCheckpoint & { readonly line: string })[]> {
  const found = yield* rows(
    db.selectFrom('checkpoints').selectAll().where('number', '>', after).orderBy('number').limit(limit),
  )
  return found.map((row) => ({
    ...row,
    line: `{"checkpoint":${row.body},"signatures":${row.signatures}}`,
  }))
}

const TRIES = 5

/** Returns a function that finds the receipt of a row, and makes a checkpoint if none covers the row yet. */
export const receiptFinder =
  (store: Runner, checkpoints: Pick<Checkpoints, 'make'>) =>
  async (row: { readonly id: string; readonly at: number }): Promise<FoundReceipt> => {
    for (let tries = 1; ; tries++) {
      const found = await store.run(receiptOf, row)
      if (found !== 'waiting' || tries === TRIES) return found
      await checkpoints.make()
    }
  }
