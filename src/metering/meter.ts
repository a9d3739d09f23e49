/** The meter: entries are committed in batches, and what became of each is made certain. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../errors.ts'
import type { Entry, Verdict } from '../ledger/types.ts'
import { OutcomeUnknown, type Store } from '../store/store.ts'
import { coalesce, LINGER_TURNS } from './coalesce.ts'
import type { RefundJournal } from './refund-journal.ts'

/** Callers are told within 2 s that the database is away; this leaves the rest for the way there. */
const PATIENCE_MS = 500
const PAUSE_MS = 50

export interface Meter {
  enter(entry: Entry): Promise<Verdict>
}

export const unavailable = (cause?: unknown) =>
  new Failure('unavailable', 'The database is away for the moment; nothing was charged. Try again shortly.', {
    retryAfterSeconds: 1,
    cause,
  })

export function openMeter(store: Store, refundJournal: RefundJournal): Meter {
  const commit = async (entries: readonly Entry[]): Promise<(Verdict | Failure)[]> => {
    try {
      return await store.commit(entries, false)
    } catch (error) {
      // Those behind would wait for the same, each batch as long again.
      queue.rejectWaiting(unavailable(error))
      if (!(error instanceof OutcomeUnknown)) throw unavailable(error)
      away = true
      const { lastTry, results } = await findOut(store, refundJournal, entries, error)
      lastTry.then(() => {
        away = false
      })
      return results
    }
  }
  const queue = coalesce<Entry, Verdict>(commit, { lingerTurns: store.answersAtOnce ? LINGER_TURNS : 0 })
  let away = false
  return {
    enter: (entry) => (away ? Promise.reject(unavailable()) : queue.add(entry)),
  }
}

/**
 * After a COMMIT of unknown outcome the same entries are entered again: the accounts' locks wait for whatever
 * is left of the first attempt, so what is then found written is all that will be. What stays unknown is
 * answered with a failure, and refunded should it turn out to have been debited. The last try may still be under
 * way then: nothing else is entered, and nothing refunded, before it has ended.
 */
async function findOut(
  store: Store,
  refundJournal: RefundJournal,
  entries: readonly Entry[],
  cause: unknown,
): Promise<{ results: (Verdict | Failure)[]; lastTry: Promise<unknown> }> {
  const timeIsUp = sleep(PATIENCE_MS, 'time is up' as const)
  const traceable = entries.filter((entry) => entry.step === 'settle' || entry.step === 'admitAndSettle')
  let lastTry: Promise<Verdict[] | null>
  let outcome: Verdict[] | null | 'time is up'
  do {
    await sleep(PAUSE_MS)
    lastTry = store.commit(traceable, true).catch(() => null)
    outcome = await Promise.race([lastTry, timeIsUp])
  } while (outcome === null)
  if (outcome !== 'time is up') {
    const verdicts = new Map<Entry, Verdict>(traceable.map((entry, index) => [entry, outcome[index]!]))
    return { results: entries.map((entry) => verdicts.get(entry) ?? unavailable(cause)), lastTry }
  }
  const doubtful = traceable.map(({ call }) => ({ auditId: call.id, accountId: call.accountId }))
  refundJournal.add(doubtful, lastTry)
  return { results: entries.map(() => unavailable(cause)), lastTry }
}
