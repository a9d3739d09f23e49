/** Calls answered with a failure although their debit may have happened: kept on disk until they are refunded. */
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
import type { Store } from '../store/store.ts'

export interface UnresolvedCall {
  readonly auditId: string
  readonly accountId: number
}

export interface RefundJournal {
  /**
   * Durable when it returns, so that a node killed right after its answer still refunds.
   * @param settled nothing is refunded before: until then a debit may still come
   */
  add(calls: readonly UnresolvedCall[], settled?: Promise<unknown>): void
  /** Takes over the journal of a process that has ended. */
  adopt(file: string): void
  readonly size: number
  close(): void
}

const PAUSE_MS = 500

export function openRefundJournal(
  file: string,
  store: Pick<Store, 'refund'>,
  report: (message: string, facts: object) => void,
): RefundJournal {
  let open: UnresolvedCall[] = readJournal(file)
  let unsettled = 0
  let timer: NodeJS.Timeout | null = null

  const resolve = async (): Promise<void> => {
    const calls = open.slice(0, 1_000)
    try {
      const refunded = await store.refund(calls)
      report('doubtful debits resolved', { calls: calls.length, refunded })
      open = open.slice(calls.length)
      if (open.length + unsettled === 0) rmSync(file, { force: true })
    } catch {
      // The database is still away; the next round tries again.
    }
    timer = open.length > 0 ? setTimeout(resolve, PAUSE_MS) : null
  }
  if (open.length > 0) timer = setTimeout(resolve, 0)

  /** Whether the calls are in the journal; their refund is under way in any case. */
  const add = (calls: readonly UnresolvedCall[], settled?: Promise<unknown>): boolean => {
    if (calls.length === 0) return true
    let isKept = true
    try {
      appendDurably(file, calls)
    } catch (error) {
      // The callers' answer is the same; only a crash before the refund would lose it now.
      report('the journal of doubtful debits cannot be written', { err: error })
      isKept = false
    }
    unsettled += calls.length
    Promise.resolve(settled).then(() => {
      unsettled -= calls.length
      open = [...open, ...calls]
      timer ??= setTimeout(resolve, PAUSE_MS)
    })
    return isKept
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
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Each line begins with its line break, for the one before may have been cut short by a crash. */
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

/** A line cut short by a crash was never answered for, and is passed over. */
function readJournal(file: string): UnresolvedCall[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as UnresolvedCall]
      } catch {
        return []
      }
    })
}
