/** The service's log: JSON lines, or readable ones where a person watches. */
import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'

export type { Logger }

export const openLog = (level: string): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })

const STANDARD_OUTPUT = 1

/** A line that cannot be written, because the log's disk is full, is lost; pino's own writer would wait for room, and everybody with it. */
function write(line: string): void {
  const bytes = Buffer.from(line)
  try {
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(STANDARD_OUTPUT, bytes, sent)
  } catch {
    // There is nowhere to say it.
  }
}
