/** The service's log on standard output: JSON lines, or lines for a person. */
import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { LOGGED_CLIENTS } from './limits/operation.ts'
import { MINUTE_MS } from './time.ts'

export type { Logger }

export const openLog = (level: string): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    {
      write(line) {
        gather(line)
        flush()
      },
    },
  )

let shown = (line: string): string => line

/** From now on lines are printed for a person. The printer is loaded only then. */
export async function logForPeople(): Promise<void> {
  const { prettyFactory } = await import('pino-pretty')
  shown = prettyFactory({ singleLine: true, translateTime: 'SYS:yyyy-mm-dd HH:MM:ss' })
}

/** A request that was answered. It holds no key and no body. */
export interface AnsweredRequest {
  /** Its address; only lines of several requests name it. */
  readonly client: string
  readonly requestId: string
  readonly accountId: number | null
  readonly method: string | null
  /** Path of the route; it and the method are null where no route took the request. */
  readonly path: string | null
  readonly status: number
  readonly code: string | null
  readonly durationMs: number
  readonly credits: number
}

/**
 * Returns a function that writes one line per request, or null if none gets one. Lines are gathered for up to 100 ms,
 * because a system call for each takes as long as a computation; a process that is killed loses them.
 */
export function openRequestLog(
  log: Logger,
  which: 'failures' | 'all' | 'off',
): ((request: AnsweredRequest) => void) | null {
  if (which === 'off' || !log.isLevelEnabled('info')) return null
  if (which === 'all') return (request) => gather(lineOf(request))
  return (request) => {
    if (request.status < 400) return
    if (request.accountId !== null || isFirstOfMinute(request)) gather(lineOf(request))
  }
}

/** The clients beyond LOGGED_CLIENTS, together. */
const OTHERS = 'others'

/** By client, how often each code followed the first failure of the minute. */
const counts = new Map<string, Map<string, number>>()
let minute: NodeJS.Timeout | null = null

/** A failure without an account costs its client nothing: the first of a minute gets a line, the others are counted. */
function isFirstOfMinute({ client, code }: AnsweredRequest): boolean {
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
    if (codes.size > 0) {
      const failures = JSON.stringify(Object.fromEntries(codes))
      gather(
        `{"level":30,"time":"${isoTime()}","client":${JSON.stringify(client)},"failures":${failures},"msg":"requests without an account"}\n`,
      )
    }
  counts.clear()
}

/** As pino would write it, in a third of the time. No text in it needs escaping: ids are checked, the rest is the service's own. */
function lineOf(request: AnsweredRequest): string {
  const { accountId, code, credits, durationMs, method, path, requestId, status } = request
  const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`)
  return `{"level":30,"time":"${isoTime()}","requestId":"${requestId}","accountId":${accountId},"method":${quoted(method)},"path":${quoted(path)},"status":${status},"code":${quoted(code)},"ms":${durationMs.toFixed(1)},"credits":${credits},"msg":"request"}\n`
}

let millisecond = 0
let text = ''

/** The present time. Writing it takes as long as the rest of a line, and many requests share a millisecond. */
function isoTime(): string {
  const now = Date.now()
  if (now !== millisecond) {
    millisecond = now
    text = new Date(now).toISOString()
  }
  return text
}

const STANDARD_OUTPUT = 1
const FLUSH_BYTES = 64 * 1024
const FLUSH_MS = 100

let gathered = ''
let timer: NodeJS.Timeout | null = null
/** The last write ended within a line. */
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

/** Drops lines that cannot be written, e.g. to a full disk; pino's own writer would block the process until there is room. */
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
