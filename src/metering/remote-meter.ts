/**
 * The meter of a process that serves requests while another process writes the ledger: entries and verdicts travel over a
 * stream, those of one iteration of the event loop as one line of JSON.
 */
import type { Duplex } from 'node:stream'
import type { Call, Entry, Verdict } from '../ledger/types.ts'
import { type LedgerMeter, type Meter, unavailable } from './meter.ts'
import {
  type PackedEntry,
  type PackedVerdict,
  packEntry,
  packVerdict,
  unpackEntry,
  unpackVerdict,
} from './packed.ts'

/** Numbered by the sender. */
type Question = readonly [number: number, entry: PackedEntry]
/** null: the entry could not be committed. */
type Answer = readonly [number: number, verdict: PackedVerdict | null]

/** The serving side. Entries that are not answered before the stream ends fail with `unavailable`. */
export function remoteMeter(stream: Duplex): Meter {
  const waiting = new Map<number, PromiseWithResolvers<Verdict>>()
  const ask = sender<Question>(stream)
  let last = 0
  onLines<Answer>(stream, ([number, verdict]) => {
    const question = waiting.get(number)
    waiting.delete(number)
    if (verdict === null) question?.reject(unavailable())
    else question?.resolve(unpackVerdict(verdict))
  })
  stream.once('close', () => {
    for (const { reject } of waiting.values()) reject(unavailable())
    waiting.clear()
  })
  return {
    enter(entry) {
      if (stream.destroyed) return Promise.reject(unavailable())
      const question = Promise.withResolvers<Verdict>()
      last += 1
      waiting.set(last, question)
      ask([last, packEntry(entry)])
      return question.promise
    },
  }
}

/** The writing side. Calls in flight of a process that ends are no longer counted. */
export function answerEntries(meter: LedgerMeter, stream: Duplex): void {
  const inFlight = new Map<string, Call>()
  const answer = sender<Answer>(stream)
  const note = (entry: Entry, verdict: Verdict): void => {
    if (entry.step === 'settle') inFlight.delete(entry.call.id)
    if (entry.step !== 'admit' || !verdict.ok) return
    if (stream.destroyed) meter.abandon(entry.call)
    else inFlight.set(entry.call.id, entry.call)
  }
  onLines<Question>(stream, ([number, packed]) => {
    const entry = unpackEntry(packed)
    meter.enter(entry).then(
      (verdict) => {
        note(entry, verdict)
        answer([number, packVerdict(verdict)])
      },
      () => {
        if (entry.step === 'settle') inFlight.delete(entry.call.id)
        answer([number, null])
      },
    )
  })
  stream.once('close', () => {
    for (const call of inFlight.values()) meter.abandon(call)
  })
}

/** Gathers the items of one iteration of the event loop into one line. */
function sender<Item>(stream: Duplex): (item: Item) => void {
  let items: Item[] = []
  const flush = (): void => {
    if (!stream.destroyed) stream.write(`${JSON.stringify(items)}\n`)
    items = []
  }
  return (item) => {
    if (items.length === 0) setImmediate(flush)
    items.push(item)
  }
}

function onLines<Item>(stream: Duplex, onItem: (item: Item) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) for (const item of JSON.parse(line) as Item[]) onItem(item)
  })
  // The end of the other process, of which its exit tells.
  stream.on('error', () => undefined)
}
