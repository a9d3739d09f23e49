/** Frames of numbers and texts, which the processes of a service exchange. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { type FrameReader, framesTo, onFrames } from '../../src/metering/frames.ts'
import { until } from '../support/until.ts'

/** More than a frame first has room for. */
const ITEMS = 400
const items = Array.from(
  { length: ITEMS },
  (_, i) =>
    [
      i / 3,
      i % 2 === 0 ? null : -i,
      i % 3 === 0,
      i % 5 === 0 ? 'ä"\n' : `text ${i}`,
      null,
      `own ${i}`,
    ] as const,
)

describe('a frame', () => {
  for (const bytes of [1, 7, 64 * 1024])
    it(`is read as it was written, also if it arrives in pieces of ${bytes} bytes`, async () => {
      const [sent, received] = [new PassThrough(), new PassThrough()]
      sent.on('data', (data: Buffer) => {
        for (let at = 0; at < data.length; at += bytes) received.write(data.subarray(at, at + bytes))
      })
      const frames: unknown[][] = []
      onFrames(received, (frame: FrameReader) => {
        const read: unknown[] = []
        while (!frame.isAtEnd())
          read.push([
            frame.number(),
            frame.numberOrNull(),
            frame.flag(),
            frame.text(),
            frame.textOrNull(),
            frame.text(),
          ])
        frames.push(read)
      })
      const open = framesTo(sent)
      const write = () => {
        for (const [number, numberOrNull, flag, text, textOrNull, uniqueText] of items) {
          const frame = open()
          frame.number(number)
          frame.number(numberOrNull)
          frame.flag(flag)
          frame.text(text)
          frame.text(textOrNull)
          frame.uniqueText(uniqueText)
        }
      }
      write()
      await until(() => frames.length === 1, 'the frame of one iteration was read')
      write()
      await until(() => frames.length === 2, 'the frame of another iteration was read')
      assert.deepEqual(frames, [items, items])
    })
})
