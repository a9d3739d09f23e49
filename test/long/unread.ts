/** `npm run test:unread`: 170 requests with a reply of 40 MB that nobody reads; checks memory, time and another account. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeFlags } from '../../scripts/run-node.js'
import { type Row, statusCounts, table } from '../support/command-line.ts'
import { nodeProcess } from '../support/node-process.ts'
import { sqliteSql } from '../support/plain-sql.ts'
import { AMPLE, guestAccount } from './fuzz/accounts.ts'
import { descriptors, residentMb } from './fuzz/watch.ts'

const PATH = '/quantlib/batch'
const RATINGS = 200
const CALLS = 24
const COUNTS = Array.from(
  { length: RATINGS },
  (_, row) => `[${Array.from({ length: RATINGS }, (_, column) => 1 + ((row * column) % 97))}]`,
)
const CALL = `{"path":"/quantlib/ml/credit/migration","body":{"periods":2,"transitions":[${COUNTS}]}}`
/** Nearly as many numbers as a request may hold: 24 credits buy a reply of 40 MB, and ten repetitions of it. */
const BODY = `{"calls":[${Array(CALLS).fill(CALL)}]}`
const ATTACKERS = 170
const REPETITIONS = 10
const LOG_PATH = '/quantlib/economics/utility/log'

/** Before replies had a budget, the service took 5.3 GB. */
const MOST_MB_MORE = 1_000
/** The service destroys a connection that takes nothing for 10 s; meanwhile the account's other requests are refused. */
const MOST_SECONDS = 240
const SAMPLE_MS = 50
/** Descriptors of one more worker thread, and of the other account's connection. */
const FEW = 8

const folder = mkdtempSync(join(tmpdir(), 'quantd-unread-'))
const faults: string[] = []
const node = await nodeProcess({
  dataDir: folder,
  execArgv: nodeFlags,
  settings: { QUANTD_IP_LIMITS: 'off', LOG_LEVEL: 'warn' },
  onUnasked: (message) => faults.push(message),
})
await node.start()
const sql = sqliteSql(join(folder, 'quantd.db'))
try {
  const other = await guestAccount(node.url, sql, 'other', AMPLE)
  const replyBytes = await read(other.apiKey, 'warm-up')
  console.log(`body of ${megabytes(BODY.length)}, reply of ${megabytes(replyBytes)}`)
  for (const accounts of [1, ATTACKERS / REPETITIONS]) await attack(accounts, other.apiKey, replyBytes)
} finally {
  await node.kill9()
  await sql.close()
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) console.log(`✖ ${fault}`)
if (faults.length > 0) process.exitCode = 1

/** All requests at once, from this many accounts; another account asks for small calls meanwhile. */
async function attack(accounts: number, otherKey: string, replyBytes: number): Promise<void> {
  const keys: string[] = []
  for (let number = 0; number < accounts; number++)
    keys.push((await guestAccount(node.url, sql, `attacker ${number} of ${accounts}`, AMPLE)).apiKey)
  const start = { mb: residentMb(node.pid), descriptors: descriptors(node.pid) }
  const startedAt = performance.now()
  const since = () => (performance.now() - startedAt) / 1_000

  let isOver = false
  let most = start.mb
  const sampling = (async () => {
    for (; !isOver; await sleep(SAMPLE_MS)) most = Math.max(most, residentMb(node.pid))
  })()
  const waits: number[] = []
  const asking = (async () => {
    for (; !isOver; await sleep(4 * SAMPLE_MS)) waits.push(await askOnce(otherKey))
  })()

  const statuses = new Map<number, number>()
  const clients = Array.from({ length: ATTACKERS }, (_, number) =>
    ignoreReply(keys[number % accounts], `paid-${Math.floor(number / REPETITIONS)}`, (status) =>
      statuses.set(status, (statuses.get(status) ?? 0) + 1),
    ),
  )
  const answered = () => [...statuses.values()].reduce((sum, count) => sum + count, 0)
  // A client that does not read does not notice that its connection has ended; the service's descriptors show it.
  const isOpen = () => answered() < ATTACKERS || descriptors(node.pid) > start.descriptors + FEW
  while (isOpen() && since() < MOST_SECONDS) await sleep(SAMPLE_MS)
  const seconds = since()
  if (isOpen()) faults.push(`connections were still open after ${MOST_SECONDS} s`)
  for (const client of clients) client.destroy()
  isOver = true
  await Promise.all([sampling, asking])
  await sleep(2_000)
  const end = { mb: residentMb(node.pid), descriptors: descriptors(node.pid) }
  if (most - start.mb > MOST_MB_MORE) faults.push(`the service took ${most - start.mb} MB more`)
  if ((await read(keys[0], 'paid-0')) !== replyBytes)
    faults.push('the reply that was paid for is not obtained again')

  const sorted = waits.sort((a, b) => a - b)
  const rows: Row[] = [
    ['accounts', accounts],
    ['requests whose replies nobody read', `${ATTACKERS}: ${statusCounts(statuses)}`],
    ['until all were refused or closed', `${seconds.toFixed(0)} s`],
    ['resident memory', `${start.mb} MB before, ${most} MB at most, ${end.mb} MB afterwards`],
    ['descriptors', `${start.descriptors} before, ${end.descriptors} afterwards`],
    [
      "another account's small calls meanwhile",
      `${sorted.length}, p50 ${sorted[sorted.length >> 1]?.toFixed(0)} ms, longest ${sorted.at(-1)?.toFixed(0)} ms`,
    ],
  ]
  console.log(`\n${table(rows)}`)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** The length of the reply, read in full; repeated while the service has no room. */
async function read(apiKey: string, key: string): Promise<number> {
  const deadline = performance.now() + MOST_SECONDS * 1_000
  for (;;) {
    const response = await fetch(node.url + PATH, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
      body: BODY,
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.ok) return bytes.length
    if (response.status !== 503 || performance.now() > deadline)
      throw new Error(`a call that is read was answered ${bytes.subarray(0, 500)}`)
    await sleep(1_000)
  }
}

/** Sends the request and reads no more than the first bytes of its reply; the status is 0 if there is none. */
function ignoreReply(apiKey: string, key: string, onStatus: (status: number) => void): Socket {
  const { hostname, port } = new URL(node.url)
  const socket = connect(Number(port), hostname)
  let status = 0
  socket.once('data', (bytes) => {
    status = Number(bytes.toString('latin1', 9, 12))
    onStatus(status)
    if (status === 200) socket.pause()
    else socket.destroy()
  })
  socket.on('error', () => undefined).on('close', () => status === 0 && onStatus(0))
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nHost: quantd\r\nX-API-Key: ${apiKey}\r\nIdempotency-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`,
  )
  socket.write(BODY)
  return socket
}

/** Milliseconds of one small call. */
async function askOnce(apiKey: string): Promise<number> {
  const askedAt = performance.now()
  const response = await fetch(node.url + LOG_PATH, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: '{"wealth":2}',
  })
  await response.arrayBuffer()
  if (!response.ok) faults.push(`another account's call was answered ${response.status}`)
  return performance.now() - askedAt
}
