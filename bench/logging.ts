/**
 * The processor time of a line of LOG_REQUESTS, in short alternating rounds with and without: `node bench/logging.ts > FILE`.
 * The lines go to FILE, the figures to standard error.
 */
import { type AnsweredRequest, openLog, openRequestLog } from '../src/log.ts'

const ROUNDS = 200
const WARM_UP_ROUNDS = 20
const REQUESTS = 5_000
/** Half of the width of a 95 % confidence interval, in standard errors of the mean. */
const Z = 1.96

const request: AnsweredRequest = {
  client: '127.0.0.1',
  requestId: '01a20061-e41c-70de-9f41-0123456789ab',
  accountId: 12_345,
  method: 'POST',
  path: '/quantlib/pricing/bs/price',
  status: 200,
  code: null,
  durationMs: 1.234,
  credits: 1,
}
const log = openLog('info')
const writers = {
  off: () => {},
  failures: openRequestLog(log, 'failures')!,
  all: openRequestLog(log, 'all')!,
}
type Kind = keyof typeof writers
const kinds = Object.keys(writers) as Kind[]

const times: Record<Kind, number[]> = { off: [], failures: [], all: [] }
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1)
  for (let place = 0; place < kinds.length; place += 1) {
    // Each kind is the first of a round as often as the others.
    const kind = kinds[(place + round + WARM_UP_ROUNDS) % kinds.length]
    const time = microseconds(writers[kind])
    if (round >= 0) times[kind].push(time)
  }

for (const kind of ['failures', 'all'] as const) {
  const more = times[kind].map((time, round) => time - times.off[round])
  const center = mean(more)
  const deviation = Math.sqrt(mean(more.map((one) => (one - center) ** 2)))
  const half = (Z * deviation) / Math.sqrt(ROUNDS - 1)
  console.error(
    `LOG_REQUESTS=${kind}: ${center.toFixed(3)} µs a successful request, 95 % confidence ${(center - half).toFixed(3)} to ${(center + half).toFixed(3)}`,
  )
}

/** Processor time of a request. */
function microseconds(write: (request: AnsweredRequest) => void): number {
  const before = process.cpuUsage()
  for (let index = 0; index < REQUESTS; index += 1) write({ ...request, durationMs: index / 1_000 })
  const { system, user } = process.cpuUsage(before)
  return (system + user) / REQUESTS
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
