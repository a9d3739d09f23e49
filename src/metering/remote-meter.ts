/**
 * The meter of a process that serves requests while another process writes the ledger: entries and verdicts travel over a
 * stream, those of one iteration of the event loop in one frame.
 */
import type { Duplex } from 'node:stream'
import type { Call, Entry, Verdict } from '../ledger/types.ts'
import { framesTo, onFrames } from './frames.ts'
import { type LedgerMeter, type Meter, unavailable } from './meter.ts'
import { readEntry, readVerdict, writeEntry, writeVerdict } from './packed.ts'

/**
 * The serving side. Entries that are not answered before the stream ends fail with `unavailable`.
 *
 * Those in progress are in an array. A Map copies itself to a new table after some hundred entries, and each old table
 * refers to the next: once one is in V8's old generation, it keeps all later entries alive until a full collection.
 * Collections of the young generation took 7 ms instead of 2.
 */
export function remoteMeter(stream: Duplex): Meter {
  /** By the number of the entry; numbers are used again. */
  const waiting: (PromiseWithResolvers<Verdict> | undefined)[] = []
  const free: number[] = []
  const frame = framesTo(stream)
  onFrames(stream, (verdicts) => {
    while (!verdicts.isAtEnd()) {
      const number = verdicts.number()
      const verdict = verdicts.flag() ? readVerdict(verdicts) : null
      const question = waiting[number]
      waiting[number] = undefined
      free.push(number)
      if (verdict === null) question?.reject(unavailable())
      else question?.resolve(verdict)
    }
  })
  stream.once('close', () => {
    for (const question of waiting) question?.reject(unavailable())
    waiting.length = 0
  })
  return {
    enter(entry) {
      if (stream.destroyed) return Promise.reject(unavailable())
      const question = Promise.withResolvers<Verdict>()
      const number = free.pop() ?? waiting.length
      waiting[number] = question
      const to = frame()
      to.number(number)
      writeEntry(to, entry)
      return question.promise
    },
  }
}

/** The writing side. Calls in flight of a process that ends are no longer counted. */
export function answerEntries(meter: LedgerMeter, stream: Duplex): void {
  const inFlight = new Map<string, Call>()
  const frame = framesTo(stream)
  /** Verdict null: the entry could not be committed. */
  const answer = (number: number, verdict: Verdict | null): void => {
    const to = frame()
    to.number(number)
    to.flag(verdict !== null)
    if (verdict !== null) writeVerdict(to, verdict)
  }
  const note = (entry: Entry, verdict: Verdict): void => {
    if (entry.step === 'settle') inFlight.delete(entry.call.id)
    if (entry.step !== 'admit' || !verdict.ok) return
    if (stream.destroyed) meter.abandon(entry.call)
    else inFlight.set(entry.call.id, entry.call)
  }
  const enter = (number: number, entry: Entry): void => {
    meter.enter(entry).then(
      (verdict) => {
        note(entry, verdict)
        answer(number, verdict)
      },
      () => {
        if (entry.step === 'settle') inFlight.delete(entry.call.id)
        answer(number, null)
      },
    )
  }
  onFrames(stream, (entries) => {
    while (!entries.isAtEnd()) enter(entries.number(), readEntry(entries))
  })
  stream.once('close', () => {
    for (const call of inFlight.values()) meter.abandon(call)
  })
}
