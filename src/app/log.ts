/** The service's log on standard output: lines of JSON, or lines that people can read. */
import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { LOGGED_CLIENTS } from '../base/limits/operation.ts'
import { MINUTE_MS } from '../base/time.ts'

export type { Logger }

const LINES = { base: null, timestamp: pino.stdTimeFunctions.isoTime }

export const openLog = (level: string): Logger =>
  pino(
    { ...LINES, level },
    {
      write(line) {
        gather(line)
        flush()
      },
    },
  )

/** The log of requests, whose lines are gathered. */
const gathering = pino(LINES, { write: gather })

let shown = (line: string): string => line

/** Switches to lines that people can read. The printer is loaded only then. */
export async function logForPeople(): Promise<void> {
  const { prettyFactory } = await import('pino-pretty')
  shown = prettyFactory({ singleLine: true, translateTime: 'SYS:yyyy-mm-dd HH:MM:ss' })
}

/** A request that was answered. It holds no key and no body. */
export interface AnsweredRequest {
  /** The client's address, which is logged only with the counts of a minute. */
  readonly client: string
  readonly requestId: string
  readonly accountId: number | null
  readonly method: string | null
  /** The path of the route; path and method are null if the request has no route. */
  readonly path: string | null
  readonly status: number
  readonly code: string | null
  readonly durationMs: number
  readonly credits: number
}

/**
 * Returns a function that writes one line per request; null: no request gets one. Lines are gathered for up to 100 ms,
 * because a system call per line takes as long as a computation; if the process is killed, they are lost.
 */
export function openRequestLog(
  log: Logger,
  which: 'failures' | 'all' | 'off',
): ((request: AnsweredRequest) => void) | null {
  if (which === 'off' || !log.isLevelEnabled('info')) return null
  return ({ accountId, client, code, credits, durationMs, method, path, requestId, status }) => {
    const isShown =
      which === 'all' || (status >= 400 && (accountId !== null || isFirstOfMinute(client, code)))
    if (!isShown) return
    const ms = Number(durationMs.toFixed(1))
    gathering.info({ requestId, accountId, method, path, status, code, ms, credits }, 'request')
  }
}

/** The name for all clients beyond LOGGED_CLIENTS. */
const OTHERS = 'others'

/** For each client, the number of failures by code after its first failure of the minute. */
const counts = new Map<string, Map<string, number>>()
let minute: NodeJS.Timeout | null = null

/**
 * Whether a failure without an account gets a line: only a client's first one of a minute does. The others are counted, because
 * they cost the client nothing and would fill the log.
 */
function isFirstOfMinute(client: string, code: string | null): boolean {
  minute ??= setTimeout(writeCounts, MINUTE_MS).unref()
  const name = counts.has(client) || counts.size < LOGGED_CLIENTS ? client : OTHERS
  const known = counts.get(name)
  if (known === undefined) {
    counts.set(name, new Map())
    return true
  }
  known.set(String(code), (known.get(String(code)) ?? 0) + 1)
  return false
}

function writeCounts(): void {
  if (minute !== null) clearTimeout(minute)
  minute = null
  for (const [client, codes] of counts)
    if (codes.size > 0)
      gathering.info({ client, failures: Object.fromEntries(codes) }, 'requests without an account')
  counts.clear()
}

const STANDARD_OUTPUT = 1
const FLUSH_BYTES = 64 * 1024
const FLUSH_MS = 100

let gathered = ''
let timer: NodeJS.Timeout | null = null
/** Whether the last write ended within a line. */
let isCut = false

function gather(line: string): void {
  gathered += shown(line)
  if (gathered.length >= FLUSH_BYTES) flush()
  else timer ??= setTimeout(flush, FLUSH_MS).unref()
}

process.on('exit', () => {
  writeCounts()
  flush()
})

/** Writes the gathered lines. If that fails, for example on a full disk, they are lost; pino's own writer would block instead. */
function flush(): void {
  if (timer !== null) clearTimeout(timer)
  timer = null
  if (gathered === '') return
  const bytes = Buffer.from(isCut ? `\n${gathered}` : gathered)
  gathered = ''
  let sent = 0
  try {
    while (sent < bytes.length) sent += writeSync(STANDARD_OUTPUT, bytes, sent)
    isCut = false
  } catch {
    // There is no other place to report it.
    if (sent > 0) isCut = bytes[sent - 1] !== 0x0a
  }
}
