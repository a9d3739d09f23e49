/** Makes checkpoints every minute, when a receipt asks for one, and at a stop; appends them to the operator's file, and checks its lines. */
import { closeSync, constants, existsSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { runsInTurn } from '../../base/coalesce.ts'
import { CHECKPOINT_EVERY_MS } from '../../base/limits/operation.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { PublishedKey } from '../../wire/receipt-check/verify.ts'
import type { Stream } from '../proofs/group.ts'
import { rows, type Sql, type Transaction } from '../store/sql.ts'
import type { Runner } from '../store/store.ts'
import {
  canonicalOrNull,
  checkpointIn,
  checkpointLines,
  lastCheckpoint,
  lineOf,
  wrongWithSignature,
} from './checkpoint.ts'
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

/** The number of checkpoints that are read and appended at once. */
const PAGE = 500
/** The end of the file in which its last checkpoint is searched; longer than any checkpoint. */
const TAIL_BYTES = 4 * 1024 * 1024

/**
 * Returns a function that appends to a file the checkpoints after the last one that it has. Nobody knows which a pipe has had, so
 * it gets those after the newest one at the first call.
 */
function checkpointAppender(store: Runner, file: string): () => Promise<void> {
  let appended: number | null = null
  return async () => {
    let last = appended ?? (await lastAppended(store, file))
    for (let isMore = true; isMore; ) {
      const page = await store.run(checkpointLines, last, PAGE)
      // Each line begins with its line break, because a crash may have cut the line before it.
      if (page.length > 0) write(file, page.map(({ line }) => `\n${line}`).join(''))
      last = page.at(-1)?.number ?? last
      appended = last
      isMore = page.length === PAGE
    }
  }
}

async function lastAppended(store: Runner, file: string): Promise<number> {
  const newest = (await store.run(lastCheckpoint))?.number ?? 0
  return isPipe(file) ? newest : lastKept(file, newest)
}

const isPipe = (file: string): boolean => existsSync(file) && !statSync(file).isFile()

/** The number of the last checkpoint in a file that the database has, too; after a restored backup the file may have later ones. */
const lastKept = (file: string, newest: number): number =>
  existsSync(file) ? Math.min(newest, Math.max(0, ...numbersAtEnd(file))) : 0

/** The numbers of the checkpoints in the last lines of a file. */
function numbersAtEnd(file: string): number[] {
  const { size } = statSync(file)
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
  const handle = openSync(file, 'r')
  readSync(handle, tail, 0, tail.length, size - tail.length)
  closeSync(handle)
  const lines = tail.toString().split('\n')
  return lines.flatMap((line) => checkpointIn(line)?.checkpoint.number ?? [])
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

interface Exported {
  /** The number of whole checkpoints in the file. */
  compared: number
  /** The number of those that the database lacks. */
  lacking: number
  readonly faults: string[]
}

/** The number of lines that are compared at once. */
const LINES_AT_ONCE = 100

/**
 * The file may have some checkpoints twice and in any order, because several nodes append to it, and the beginnings of others,
 * because a node may have died while it wrote.
 */
export function* compareExported(
  sql: Sql,
  lines: Iterable<string>,
  keys: readonly PublishedKey[],
): Transaction<Exported> {
  const exported: Exported = { compared: 0, faults: [], lacking: 0 }
  let page: string[] = []
  for (const line of lines) {
    if (line.trim() === '') continue
    page.push(line.trim())
    if (page.length < LINES_AT_ONCE) continue
    yield* compare(sql, page, keys, exported)
    page = []
  }
  if (page.length > 0) yield* compare(sql, page, keys, exported)
  return exported
}

function* compare(
  sql: Sql,
  lines: readonly string[],
  keys: readonly PublishedKey[],
  exported: Exported,
): Transaction<void> {
  const read = lines.map((line) => ({ line, signed: checkpointIn(line) }))
  const numbers = read.flatMap(({ signed }) => signed?.checkpoint.number ?? [])
  const kept = new Map((yield* keptWith(sql, 'number', numbers)).map((row) => [row.number, row]))
  for (const { line, signed } of read) {
    if (signed === null) {
      if (!(yield* isBeginning(sql, line)))
        exported.faults.push(`the exported file has a line that is no checkpoint: ${line.slice(0, 100)}`)
      continue
    }
    exported.compared += 1
    const { checkpoint, signatures } = signed
    const { number } = checkpoint
    const [found, body] = [kept.get(number), canonicalOrNull(checkpoint)]
    // The signatures of the database are checked with its checkpoint.
    if (found?.body === body && found?.signatures === JSON.stringify(signatures)) continue
    const wrong = body === null ? 'is not signed' : wrongWithSignature(checkpoint, body, signatures, keys)
    if (wrong !== null) exported.faults.push(`the exported checkpoint ${number} ${wrong}`)
    else if (found === undefined) exported.lacking += 1
    else if (found.body !== body)
      exported.faults.push(`checkpoint ${number} is not the one that was exported`)
  }
}

const START = '{"checkpoint":{"at":'
const CUT = /^\{"checkpoint":\{"at":(\d*)(.?)/

/** Whether a line is the beginning of one of the database, which a crash has left. */
function* isBeginning(sql: Sql, line: string): Transaction<boolean> {
  const [, at, rest] = CUT.exec(line) ?? []
  if (at === undefined) return START.startsWith(line)
  if (rest === '') return true
  const kept = yield* keptWith(sql, 'at', [Number(at)])
  return kept.some(({ body, signatures }) => lineOf({ body, signatures }).startsWith(line))
}

function* keptWith({ db }: Sql, column: 'number' | 'at', values: readonly number[]) {
  const kept = db.selectFrom('checkpoints').select(['number', 'body', 'signatures'])
  return values.length === 0 ? [] : yield* rows(kept.where(column, 'in', values))
}
