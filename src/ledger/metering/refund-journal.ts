/** The refund journal: calls that failed with an unknown COMMIT outcome, kept on disk until they are refunded. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { REFUND_RETRY_MS } from '../../base/limits/operation.ts'
import { parsedJson } from '../../base/text.ts'
import type { UnresolvedCall } from './refunds.ts'

export interface RefundJournal {
  /**
   * Writes the calls to disk before it returns, so that a node that is killed right after its reply still refunds them.
   * @param settled resolves when the debits can no longer be written; no refund is made earlier
   */
  add(calls: readonly UnresolvedCall[], settled?: Promise<unknown>): void
  /** Takes over and removes the journal of a process that has ended. */
  adopt(file: string): void
  readonly size: number
  close(): void
}

export const REFUND_JOURNAL = 'refunds.ndjson'

/** The name of the journal in version 0.1.0. */
export const FORMER_JOURNAL = 'doubts.ndjson'

/** @param refund makes refunds; returns how many */
export function openRefundJournal(
  file: string,
  refund: (calls: readonly UnresolvedCall[]) => Promise<number>,
  report: (message: string, facts: object) => void,
): RefundJournal {
  let open: UnresolvedCall[] = readJournal(file)
  /** The calls that are not on disk, because writing failed. */
  let unwritten: readonly UnresolvedCall[] = []
  let unsettled = 0
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  const resolve = async (): Promise<void> => {
    const calls = open.slice(0, 1_000)
    try {
      const refunded = await refund(calls)
      report('unresolved debits refunded', { calls: calls.length, refunded })
      open = open.slice(calls.length)
      if (open.length + unsettled === 0) {
        unwritten = []
        rmSync(file, { force: true })
      }
    } catch {
      // The database is still unreachable; the next round tries again.
      write()
    }
    timer = open.length > 0 && !isClosed ? setTimeout(resolve, REFUND_RETRY_MS) : null
  }
  if (open.length > 0) timer = setTimeout(resolve, 0)
  // A full disk, or the end of the process, can leave a file without a whole line.
  else if (existsSync(file)) rmSync(file)

  /** Writes the calls that are not on disk. Returns the error of the disk; null: all are written. */
  const write = (): unknown => {
    if (unwritten.length === 0) return null
    try {
      appendDurably(file, unwritten)
      unwritten = []
      return null
    } catch (error) {
      return error
    }
  }
  /** Returns whether the calls are on disk. */
  const add = (calls: readonly UnresolvedCall[], settled?: Promise<unknown>): boolean => {
    if (calls.length === 0) return true
    unwritten = [...unwritten, ...calls]
    const err = write()
    // The callers get the same reply. A refund is lost only if the process ends before it is made and before the disk recovers.
    if (err !== null)
      report('the refund journal cannot be written', { err, audit_ids: calls.map(({ auditId }) => auditId) })
    unsettled += calls.length
    Promise.resolve(settled).then(() => {
      unsettled -= calls.length
      open = [...open, ...calls]
      if (!isClosed) timer ??= setTimeout(resolve, REFUND_RETRY_MS)
    })
    return err === null
  }
  return {
    add,
    adopt(journal) {
      if (add(readJournal(journal))) rmSync(journal, { force: true })
    },
    get size() {
      return open.length + unsettled
    },
    close() {
      isClosed = true
      write()
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Each line begins with its line break, since a crash may have cut the line before it. */
function appendDurably(file: string, calls: readonly UnresolvedCall[]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const handle = openSync(file, 'a', 0o600)
  try {
    appendFileSync(handle, calls.map((call) => `\n${JSON.stringify(call)}`).join(''))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A line that a crash cut short belongs to a call that was never answered, and is skipped. */
function readJournal(file: string): UnresolvedCall[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => parsedJson(line) as UnresolvedCall | undefined)
    .filter((call) => call !== undefined)
}
