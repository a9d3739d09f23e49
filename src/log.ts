/** The service's log: JSON lines on standard output. */
import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'

export type { Logger }

export const openLog = (level: string): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })

const STANDARD_OUTPUT = 1

/** Drops a line that cannot be written, e.g. to a full disk; pino's own writer would block the process until there is room. */
function write(line: string): void {
  const bytes = Buffer.from(line)
  try {
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(STANDARD_OUTPUT, bytes, sent)
  } catch {
    // There is no other place to report it.
  }
}
