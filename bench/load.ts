/** A load generator on plain sockets, run as a separate process: closed loop, or a fixed schedule of requests. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

export interface Load {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The path of a file with the body, instead of `body`. */
  readonly bodyFile?: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second, independent of the replies; absent: each connection sends the next request after a reply. */
  readonly perSecond?: number
  /** Each connection sends a single request, all at the same time. */
  readonly once?: boolean
  /** API keys that the connections take in turn, instead of one in `headers`. */
  readonly keys?: readonly string[]
}

export interface LoadResult {
  readonly perSecond: number
  /** Latencies from the time when a request was sent or, on a schedule, due. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** On a schedule: latencies from the time when the request was sent. */
  readonly sentP99Ms: number
  /** Replies by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The share of a core that the load generator used, 0 to 1; near 1, the generator and not the server limits the figures. */
  readonly busy: number
}

interface Exchange {
  readonly dueAt: number
  readonly sentAt: number
}

async function applyLoad(load: Load): Promise<LoadResult> {
  const request = requestBytes(load)
  const latencies: number[] = []
  const fromSent: number[] = []
  const statuses: Record<string, number> = {}
  const count = (status: string, { dueAt, sentAt }: Exchange): void => {
    const now = performance.now()
    statuses[status] = (statuses[status] ?? 0) + 1
    latencies.push(now - dueAt)
    fromSent.push(now - sentAt)
  }
  const lines = await Promise.all(Array.from({ length: load.connections }, () => openLine(load.url)))
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const until = startedAt + load.seconds * 1_000
  if (load.once)
    await Promise.all(lines.map((line, index) => askOnce(line, [...keyed(load, index), request], count)))
  else if (load.perSecond === undefined)
    await Promise.all(lines.map((line) => keepAsking(line, request, until, count)))
  else await askOnSchedule(lines, request, startedAt, until, 1_000 / load.perSecond, count)
  const elapsedMs = performance.now() - startedAt
  const cpu = process.cpuUsage(cpuBefore)
  for (const line of lines) line.close()
  const sorted = latencies.sort((a, b) => a - b)
  return {
    perSecond: sorted.length / (elapsedMs / 1_000),
    p50Ms: at(sorted, 0.5),
    p99Ms: at(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
    sentP99Ms: at(
      fromSent.sort((a, b) => a - b),
      0.99,
    ),
    statuses,
    busy: (cpu.user + cpu.system) / 1_000 / elapsedMs,
  }
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0

function requestBytes({ body, bodyFile, headers, keys, url }: Load): Buffer {
  const { host, pathname } = new URL(url)
  const content = bodyFile === undefined ? Buffer.from(body ?? '') : readFileSync(bodyFile)
  const lines = Object.entries({ host, 'content-length': String(content.length), ...headers })
  const first = keys === undefined ? `POST ${pathname} HTTP/1.1\r\n` : ''
  const head = `${first}${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return Buffer.concat([Buffer.from(head), content])
}

/** The first lines of a request's head, with the key of the connection; the other lines are the same for all. */
const keyed = ({ keys = [], url }: Load, index: number): Buffer[] =>
  keys.length === 0
    ? []
    : [Buffer.from(`POST ${new URL(url).pathname} HTTP/1.1\r\nx-api-key: ${keys[index % keys.length]}\r\n`)]

async function askOnce(
  line: Line,
  pieces: readonly Buffer[],
  count: (status: string, exchange: Exchange) => void,
): Promise<void> {
  const sentAt = performance.now()
  count(await line.ask(...pieces), { dueAt: sentAt, sentAt })
}

async function keepAsking(
  line: Line,
  request: Buffer,
  until: number,
  count: (status: string, exchange: Exchange) => void,
): Promise<void> {
  for (;;) {
    const sentAt = performance.now()
    if (sentAt >= until || !line.isOpen()) return
    count(await line.ask(request), { dueAt: sentAt, sentAt })
  }
}

/** A request waits while all connections are busy; its latency includes the wait. */
async function askOnSchedule(
  lines: readonly Line[],
  request: Buffer,
  startedAt: number,
  until: number,
  everyMs: number,
  count: (status: string, exchange: Exchange) => void,
): Promise<void> {
  const idle = [...lines]
  const due: number[] = []
  const underWay = new Set<Promise<void>>()
  const send = (): void => {
    while (due.length > 0 && idle.length > 0) {
      const line = idle.pop()!
      const exchange = { dueAt: due.shift()!, sentAt: performance.now() }
      const asked = line.ask(request).then((status) => {
        count(status, exchange)
        idle.push(line)
        underWay.delete(asked)
        send()
      })
      underWay.add(asked)
    }
  }
  let nextAt = startedAt
  while (nextAt < until) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextAt - performance.now())))
    for (; nextAt <= performance.now() && nextAt < until; nextAt += everyMs) due.push(nextAt)
    send()
  }
  while (underWay.size > 0) await Promise.all(underWay)
}

/** A connection that carries one request at a time. */
interface Line {
  /** Resolves with the status after the complete reply, or with `closed` if the connection ended before. */
  ask(...pieces: Buffer[]): Promise<string>
  isOpen(): boolean
  close(): void
}

const CLOSED = 'closed'
const CONNECT_MS = 10_000
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: (\d+)/i

async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url)
  let onReply: (status: string) => void = () => undefined
  const answered = (status: string): void => {
    const told = onReply
    onReply = () => undefined
    told(status)
  }
  const replies = replyReader(answered)
  // Reads into one reused buffer instead of the stream's own.
  const socket: Socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafeSlow(65_536),
      callback: (size, buffer) => {
        replies((buffer as Buffer).subarray(0, size))
        return true
      },
    },
  })
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no connection to ${url}`)), CONNECT_MS)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.once('error', reject)
  })
  let isOpen = true
  socket
    .on('error', () => undefined)
    .once('close', () => {
      isOpen = false
      answered(CLOSED)
    })
  return {
    ask: (...pieces) =>
      new Promise((resolve) => {
        if (!isOpen) return resolve(CLOSED)
        onReply = resolve
        for (const piece of pieces) socket.write(piece)
      }),
    isOpen: () => isOpen,
    close: () => socket.destroy(),
  }
}

/** Replies have a Content-Length, so only the number of missing bytes of a body is stored. */
function replyReader(onReply: (status: string) => void): (piece: Buffer) => void {
  let head = Buffer.alloc(0)
  let missing = 0
  let status = ''
  return (piece) => {
    if (missing === 0) {
      const received = head.length === 0 ? piece : Buffer.concat([head, piece])
      const end = received.indexOf(END_OF_HEAD)
      if (end === -1) {
        head = Buffer.from(received)
        return
      }
      const text = received.toString('latin1', 0, end)
      status = text.slice(9, 12)
      missing = Number(LENGTH.exec(text)?.[1] ?? 0) - (received.length - end - END_OF_HEAD.length)
      head = Buffer.alloc(0)
    } else missing -= piece.length
    if (missing <= 0) {
      missing = 0
      onReply(status)
    }
  }
}

if (process.argv[1] === import.meta.filename)
  console.log(JSON.stringify(await applyLoad(JSON.parse(process.argv[2]) as Load)))
