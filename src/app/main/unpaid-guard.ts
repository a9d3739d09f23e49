/**
 * Refuses requests without a key while the disk is nearly full, or while too many of the rows are kept that such requests write:
 * nobody pays for these, so they must not take the room of calls.
 */
import { statfs } from 'node:fs/promises'
import { sql as raw } from 'kysely'
import { tooFullForUnpaid } from '../../base/errors/requests.ts'
import type { Failure } from '../../base/failure.ts'
import { UNPAID_LOOK_MS } from '../../base/limits/operation.ts'
import { polling } from '../../base/polling.ts'
import { first, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import type { Room } from '../metrics/ledger-and-threads.ts'
import type { Foundation } from './foundation.ts'

export interface UnpaidGuard {
  /** The failure of every request without a key; null: there is room. */
  refusal(): Failure | null
  room(): Room
  stop(): Promise<void>
}

/** @param everyMs the interval at which the room is read */
export async function openUnpaidGuard(
  { config: { dataDir, minFreeBytes, unpaidRows: most }, log, store }: Foundation,
  everyMs = UNPAID_LOOK_MS,
): Promise<UnpaidGuard> {
  let room: Room = { freeBytes: null, unpaidRows: null }
  const isDiskFull = () => room.freeBytes !== null && room.freeBytes < minFreeBytes
  const isTableFull = () => room.unpaidRows !== null && room.unpaidRows >= most
  const look = async (): Promise<number> => {
    const wasFull = isDiskFull() || isTableFull()
    const [free, rows] = await Promise.allSettled([freeBytesOf(dataDir), store.reads.run(unpaidRows, most)])
    room = {
      freeBytes: free.status === 'fulfilled' ? free.value : null,
      unpaidRows: rows.status === 'fulfilled' ? rows.value : null,
    }
    const isFull = isDiskFull() || isTableFull()
    if (isFull && !wasFull) log.warn(room, 'requests without a key are refused until there is room')
    if (wasFull && !isFull) log.info(room, 'requests without a key are accepted again')
    return everyMs
  }
  await look()
  const looking = polling(look)
  looking.wake()
  return {
    refusal: () => (isDiskFull() || isTableFull() ? tooFullForUnpaid({ isDiskFull: isDiskFull() }) : null),
    room: () => room,
    stop: () => looking.stop(),
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The rows that requests without a key write, and that are deleted after a time. */
const SOURCES = [
  ...['registrations', 'password_resets', 'attempts', 'mails'].map((table) => raw.table(table)),
  // Guests.
  raw`accounts WHERE expires_at IS NOT NULL`,
]

/** The number of registrations, guests, codes, counters of attempts and mails, each counted to `most`. */
export function* unpaidRows({ db }: Sql, most: number): Transaction<number> {
  let sum = 0
  for (const source of SOURCES) {
    const some = raw<{ row: number }>`(SELECT 1 AS row FROM ${source} LIMIT ${raw.lit(most)})`
    const counted = db.selectFrom(some.as('some')).select(({ fn }) => fn.countAll<number>().as('count'))
    sum += Number((yield* first(counted))!.count)
  }
  return sum
}
