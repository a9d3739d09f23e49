/**
 * Messages between processes: each frame holds numbers and texts, which are read in the order in which they were written.
 * A text that recurs in a frame travels once. JSON would take six times the processor time of both sides.
 */
import type { Duplex } from 'node:stream'

export interface FrameWriter {
  /** null travels as NaN. */
  number(value: number | null): void
  flag(value: boolean): void
  /** One that may recur in the frame. */
  text(value: string | null): void
  /** One that does not recur, without a look-up. */
  uniqueText(value: string): void
}

export interface FrameReader {
  number(): number
  numberOrNull(): number | null
  flag(): boolean
  text(): string
  textOrNull(): string | null
  isAtEnd(): boolean
}

/** A frame begins with two numbers: the count of all its numbers, and the bytes of its texts, which follow as JSON. */
const HEADER = 2
const NULL_TEXT = -1
const FIRST_SIZE = 1_024

/** Returns a function that gives the frame to write to. All that is written in one iteration of the event loop is one frame. */
export function framesTo(stream: Duplex): () => FrameWriter {
  let numbers = new Float64Array(FIRST_SIZE)
  let count = HEADER
  const texts: string[] = []
  /** A new one for each frame: the tables of one that is cleared would keep each other alive (remote-meter.ts). */
  let places = new Map<string, number>()
  const number = (value: number | null): void => {
    if (count === numbers.length) numbers = doubled(numbers)
    numbers[count++] = value ?? Number.NaN
  }
  const placeOf = (text: string): number => {
    let place = places.get(text)
    if (place === undefined) {
      place = texts.push(text) - 1
      places.set(text, place)
    }
    return place
  }
  const writer: FrameWriter = {
    number,
    flag: (value) => number(value ? 1 : 0),
    uniqueText: (value) => number(texts.push(value) - 1),
    text: (value) => number(value === null ? NULL_TEXT : placeOf(value)),
  }
  const send = (): void => {
    const json = Buffer.from(JSON.stringify(texts))
    numbers[0] = count
    numbers[1] = json.length
    if (!stream.destroyed) stream.write(Buffer.concat([new Uint8Array(numbers.buffer, 0, count * 8), json]))
    count = HEADER
    texts.length = 0
    places = new Map()
  }
  return () => {
    if (count === HEADER) setImmediate(send)
    return writer
  }
}

const doubled = (numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
  const larger = new Float64Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}

export function onFrames(stream: Duplex, onFrame: (frame: FrameReader) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  stream.on('data', (piece: Buffer) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    while (rest.length >= HEADER * 8) {
      const numbersEnd = rest.readDoubleLE(0) * 8
      const end = numbersEnd + rest.readDoubleLE(8)
      if (rest.length < end) return
      // Copied, because the numbers of a view must be aligned.
      const { buffer, byteOffset } = rest
      const numbers = new Float64Array(buffer.slice(byteOffset, byteOffset + numbersEnd))
      onFrame(readerOf(numbers, JSON.parse(rest.toString('utf8', numbersEnd, end)) as string[]))
      rest = rest.subarray(end)
    }
  })
  // A broken stream is handled where the exit of the other process is.
  stream.on('error', () => undefined)
}

function readerOf(numbers: Float64Array, texts: readonly string[]): FrameReader {
  let next = HEADER
  const number = (): number => numbers[next++]!
  return {
    number,
    numberOrNull() {
      const value = number()
      return Number.isNaN(value) ? null : value
    },
    flag: () => number() === 1,
    text: () => texts[number()]!,
    textOrNull: () => texts[number()] ?? null,
    isAtEnd: () => next === numbers.length,
  }
}
