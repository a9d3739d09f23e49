/** The service's log: JSON lines, or readable ones where a person watches. */
import { type Logger, pino } from 'pino'

export type { Logger }

export const openLog = (level: string): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
