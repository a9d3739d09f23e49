/** The meter: commits entries to the ledger in groups, resolves those whose COMMIT outcome is unknown, and counts the calls in flight. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Coalescer, coalesce } from '../../base/coalesce.ts'
import { databaseAway, internal } from '../../base/errors/requests.ts'
import { Failure } from '../../base/failure.ts'
import { UNKNOWN_OUTCOME_MS } from '../../base/limits/operation.ts'
import { BrokenAssertion } from '../rules/assertions.ts'
import { changed, NONE_IN_FLIGHT } from '../rules/draft.ts'
import { bindingId, type Call, type CostsInFlight, type Entry, type Verdict } from '../rules/types.ts'
import { OutcomeUnknown, type Store } from '../store/store.ts'
import type { RefundJournal } from './refund-journal.ts'

const PAUSE_MS = 50

/** The interface through which calls are entered in the ledger. */
export interface Meter {
  /** Throws Failure `unavailable`. */
  enter(entry: Entry): Promise<Verdict>
}

/** A group that was entered, for the metrics. */
interface CommittedGroup {
  readonly entries: number
  readonly durationMs: number
  readonly isCommitted: boolean
}

/** What is told of the groups: for the metrics and the log. */
export interface MeterWatch {
  group(group: CommittedGroup): void
  broken(broken: BrokenAssertion): void
}

const UNWATCHED: MeterWatch = { group: () => undefined, broken: () => undefined }

/** @param unknownMs the time for which a group with an unknown COMMIT outcome is tried again; only tests change it */
export function openMeter(
  store: Store,
  refundJournal: RefundJournal,
  watch = UNWATCHED,
  unknownMs = UNKNOWN_OUTCOME_MS,
): Meter {
  const commit = async (entries: readonly Entry[]): Promise<(Verdict | Failure)[]> => {
    const startedAt = performance.now()
    let isCommitted = false
    try {
      const verdicts = await store.commit({ entries })
      isCommitted = true
      return verdicts
    } catch (error) {
      if (error instanceof BrokenAssertion) throw error
      // Entries that wait in this queue would fail in the same way, after another full wait.
      const together = togetherOf(entries[0])
      queueOf(together).rejectWaiting(databaseAway(error))
      if (!(error instanceof OutcomeUnknown)) throw databaseAway(error)
      resolving.add(together)
      const { lastTry, results } = await resolveUnknown(
        { store, refundJournal, unknownMs, watch },
        entries,
        error,
      )
      lastTry.then(() => {
        resolving.delete(together)
      })
      return results
    } finally {
      watch.group({ entries: entries.length, durationMs: performance.now() - startedAt, isCommitted })
    }
  }
  const inFlight = inFlightCredits()
  const commitCounted = async (entries: readonly Entry[]): Promise<(Verdict | Failure)[]> => {
    try {
      const verdicts = await commit(inFlight.counted(entries))
      inFlight.decided(entries, verdicts)
      return verdicts
    } catch (error) {
      if (!(error instanceof BrokenAssertion)) throw error
      watch.broken(error)
      if (entries.length === 1) return [internal(error)]
      return await entryByEntry(entries, commitCounted)
    }
  }
  /** A queue for each set of accounts that commit together. */
  const queues = new Map<string, Coalescer<Entry, Verdict>>()
  const togetherOf = ({ call }: Entry) => store.together(call.accountId)
  const queueOf = (together: string) => {
    const queue = queues.get(together) ?? coalesce<Entry, Verdict>(commitCounted, { awaitsCallers: true })
    queues.set(together, queue)
    return queue
  }
  /** Sets of accounts with a group of unknown outcome; no other entry of theirs is entered. */
  const resolving = new Set<string>()
  const keys = inFlightKeys()
  const enter = (entry: Entry): Promise<Verdict> => {
    // A repetition waits for the end of the call that it repeats, instead of competing with it for credits.
    const end = entry.step === 'settle' || entry.step === 'refusal' ? null : keys.endOf(entry.call)
    if (end !== null) return end.then(() => enter(entry))
    if (entry.step === 'admit') keys.begin(entry.call)
    const together = togetherOf(entry)
    const verdict = resolving.has(together) ? Promise.reject(databaseAway()) : queueOf(together).add(entry)
    if (entry.step === 'admit') endUnlessInFlight(entry.call, verdict)
    if (entry.step === 'settle') endSettled(entry.call, verdict)
    return verdict
  }
  const endUnlessInFlight = (call: Call, verdict: Promise<Verdict>): void => {
    if (call.idempotency === null) return
    verdict.then(
      ({ ok }) => ok || keys.end(call),
      () => keys.end(call),
    )
  }
  const endSettled = (call: Call, verdict: Promise<Verdict>): void => {
    verdict.catch(() => inFlight.ended(call)).finally(() => keys.end(call))
  }
  return { enter }
}

/**
 * Enters the entries of a group with a broken assertion alone, so that only those concerned fail. Where the database is away, the
 * others fail at once, instead of each after a wait of its own.
 */
async function entryByEntry(
  entries: readonly Entry[],
  commit: (entries: readonly Entry[]) => Promise<readonly (Verdict | Failure)[]>,
): Promise<(Verdict | Failure)[]> {
  const results: (Verdict | Failure)[] = []
  for (const entry of entries) {
    const [result] = await commit([entry]).catch((failure: Failure) => [failure])
    results.push(result)
    if (!(result instanceof Failure) || result.code !== 'unavailable') continue
    return entries.map((_, index) => results[index] ?? result)
  }
  return results
}

interface Resolution {
  readonly store: Store
  readonly refundJournal: RefundJournal
  readonly unknownMs: number
  readonly watch: MeterWatch
}

/**
 * After a COMMIT of unknown outcome the same entries are entered again. The locks on the accounts wait for the end of
 * the first attempt, so the rows that are found then are final. An entry that stays unknown fails, and is refunded if
 * its debit turns out to be written. The last try may still be in progress then: until it ends, nothing else is entered
 * and nothing is refunded.
 */
async function resolveUnknown(
  { refundJournal, store, unknownMs, watch }: Resolution,
  entries: readonly Entry[],
  cause: unknown,
): Promise<{ results: (Verdict | Failure)[]; lastTry: Promise<unknown> }> {
  const timeout = sleep(unknownMs, 'timeout' as const)
  const traceable = entries.filter((entry) => entry.step === 'settle' || entry.step === 'admitAndSettle')
  let lastTry: Promise<(Verdict | Failure)[] | null>
  let outcome: (Verdict | Failure)[] | null | 'timeout'
  do {
    await sleep(PAUSE_MS)
    lastTry = repeat(store, traceable, watch)
    outcome = await Promise.race([lastTry, timeout])
  } while (outcome === null)
  if (outcome !== 'timeout') {
    const verdicts = new Map<Entry, Verdict | Failure>(
      traceable.map((entry, index) => [entry, outcome[index]]),
    )
    return { results: entries.map((entry) => verdicts.get(entry) ?? databaseAway(cause)), lastTry }
  }
  const unresolved = traceable.map(({ call }) => ({ auditId: call.id, accountId: call.accountId }))
  refundJournal.add(unresolved, lastTry)
  return { results: entries.map(() => databaseAway(cause)), lastTry }
}

/** Null: the outcome is still unknown. */
async function repeat(
  store: Store,
  entries: readonly Entry[],
  watch: MeterWatch,
): Promise<(Verdict | Failure)[] | null> {
  try {
    return await store.commit({ entries, isRepeated: true })
  } catch (error) {
    if (!(error instanceof BrokenAssertion)) return null
    watch.broken(error)
    if (entries.length === 1) return [internal(error)]
    const results: (Verdict | Failure)[] = []
    for (const entry of entries) {
      const known = await repeat(store, [entry], watch)
      if (known === null) return null
      results.push(...known)
    }
    return results
  }
}

/** Idempotency keys of calls that are being admitted or are in flight. */
function inFlightKeys() {
  const ends = new Map<string, { readonly id: string; readonly end: PromiseWithResolvers<void> }>()
  const nameOf = ({ accountId, idempotency }: Call): string | null =>
    idempotency === null ? null : bindingId(accountId, idempotency.key)
  return {
    /** Resolves when the call in flight with this call's idempotency key has ended; null: there is none. */
    endOf(call: Call): Promise<void> | null {
      const name = nameOf(call)
      return name === null ? null : (ends.get(name)?.end.promise ?? null)
    },
    begin(call: Call): void {
      const name = nameOf(call)
      if (name !== null) ends.set(name, { id: call.id, end: Promise.withResolvers() })
    },
    /** No effect for a call that has not begun. */
    end(call: Call): void {
      const name = nameOf(call)
      const begun = name === null ? undefined : ends.get(name)
      if (name === null || begun?.id !== call.id) return
      ends.delete(name)
      begun.end.resolve()
    },
  }
}

function inFlightCredits() {
  const costs = new Map<string, number>()
  const accounts = new Map<number, CostsInFlight>()
  const teamKeys = new Map<number, CostsInFlight>()
  const change = (of: Map<number, CostsInFlight>, id: number, cost: number, calls: 1 | -1): void => {
    const after = changed(of.get(id) ?? NONE_IN_FLIGHT, cost, calls)
    if (after.size === 0) of.delete(id)
    else of.set(id, after)
  }
  const count = (call: Pick<Call, 'accountId' | 'teamKeyId'>, cost: number, calls: 1 | -1): void => {
    change(accounts, call.accountId, cost, calls)
    if (call.teamKeyId !== null) change(teamKeys, call.teamKeyId, cost, calls)
  }
  /** Ends a call, whether or not it could be settled. */
  const ended = (call: Pick<Call, 'accountId' | 'id' | 'teamKeyId'>): void => {
    const cost = costs.get(call.id)
    if (cost === undefined) return
    costs.delete(call.id)
    count(call, cost, -1)
  }
  return {
    /** Adds to each entry the costs in flight of its account and of its team key. */
    counted: (entries: readonly Entry[]): readonly Entry[] =>
      accounts.size === 0
        ? entries
        : entries.map((entry) => {
            const inFlight = accounts.get(entry.call.accountId)
            if (inFlight === undefined) return entry
            const { teamKeyId } = entry.call
            if (teamKeyId === null) return { ...entry, inFlight }
            return { ...entry, inFlight, keyInFlight: teamKeys.get(teamKeyId) ?? NONE_IN_FLIGHT }
          }),
    /** Begins the calls that were admitted and ends those that were settled. @param verdicts one, or an error, for each entry */
    decided(entries: readonly Entry[], verdicts: readonly (Verdict | Error)[]): void {
      entries.forEach(({ call, step }, index) => {
        const verdict = verdicts[index]
        if (step === 'settle') ended(call)
        if (step !== 'admit' || call.cost === 0) return
        if (verdict instanceof Error || !verdict.ok || verdict.replayed) return
        costs.set(call.id, call.cost)
        count(call, call.cost, 1)
      })
    },
    ended,
  }
}
