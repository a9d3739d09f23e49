/** The tail of calls that the pool computes: discrimination of 10,000 rows over four connections, beside FastAPI. */
import { randomFraction, seededRandom } from '../src/numerics/arithmetic/random.ts'
import { processorSeconds } from '../test/support/processes.ts'
import { bodyFiles } from './body-files.ts'
import type { LoadResult } from './load.ts'
import {
  BOTH_CORES,
  generateSuccesses,
  type Quantd,
  type Server,
  startFastApi,
  startQuantd,
} from './machine.ts'
import { median, type Part, type Row, ratioRow } from './record.ts'

const ROUNDS = 7
const ROUND_SECONDS = 3
const ROWS = 10_000
const CONNECTIONS = 4
const PATH = '/quantlib/ml/credit/discrimination'

export async function tail(): Promise<Part> {
  const files = bodyFiles()
  const bodyFile = files.keep(JSON.stringify(sample()))
  const quantd = await startQuantd({ cores: BOTH_CORES })
  const peer = await startFastApi('fastapi_discrimination', { OPENBLAS_NUM_THREADS: '1' }, BOTH_CORES)
  const rows = await compare(quantd, peer, bodyFile)
  for (const side of [quantd, peer]) await side?.stop()
  files.remove()
  return {
    rounds: ROUNDS,
    conditions: `Rounds of ${ROUND_SECONDS} s over ${CONNECTIONS} connections, each of which sends the next request after a reply; on SQLite, charged and durable, FastAPI uncharged. The generator on one of the two cores of the server.`,
    peers: peer?.versions ?? {},
    rows,
  }
}

/** Scores with as many digits as programs print; one in twenty is of a default. */
function sample() {
  const random = seededRandom(11)
  const y_true = Array.from({ length: ROWS }, () => (randomFraction(random) < 0.05 ? 1 : 0))
  const y_score = y_true.map((label) => 0.3 * label + 0.7 * randomFraction(random))
  return { y_true, y_score }
}

async function compare(quantd: Quantd, peer: Server | null, bodyFile: string): Promise<Row[]> {
  const [ours, theirs]: [Measured[], Measured[]] = [[], []]
  for (let round = -1; round < ROUNDS; round++) {
    const [one, other] = [await load(quantd, bodyFile), peer === null ? null : await load(peer, bodyFile)]
    // The first round is a warm-up.
    if (round < 0) continue
    ours.push(one)
    if (other !== null) theirs.push(other)
  }
  const figures = (results: Measured[], name: 'p50Ms' | 'p99Ms') => ({
    unit: 'ms',
    rounds: results.map((result) => result[name]),
  })
  const work = `p99 of discrimination of ${ROWS.toLocaleString('en')} rows, computed in the pool, over ${CONNECTIONS} connections; the server on both cores`
  const note = [ours, theirs]
    .filter((results) => results.length > 0)
    .map((results) => {
      const of = (name: keyof Measured) => median(results.map((result) => Number(result[name])))
      return `${of('perSecond').toFixed(0)} calls/s, p50 ${of('p50Ms').toFixed(1)} ms, longest ${of('maxMs').toFixed(0)} ms, ${of('millisPerCall').toFixed(1)} ms of processor time`
    })
    .join('; FastAPI ')
  return [
    ratioRow(
      { id: 'tail-p50-two', work, against: 'its median', goal: { is: 'at most', value: 4 }, note },
      figures(ours, 'p99Ms'),
      figures(ours, 'p50Ms'),
    ),
    ratioRow(
      {
        id: 'tail-fastapi-two',
        work,
        against: 'FastAPI + scikit-learn, one uvicorn worker',
        goal: { is: 'at most', value: 1 },
      },
      figures(ours, 'p99Ms'),
      peer && figures(theirs, 'p99Ms'),
    ),
  ]
}

type Measured = LoadResult & { readonly millisPerCall: number }

async function load(side: Server & Partial<Quantd>, bodyFile: string): Promise<Measured> {
  const before = processorSeconds(side.pid)
  const result = await generateSuccesses({
    url: side.url + PATH,
    headers: side.headers ?? { 'content-type': 'application/json' },
    bodyFile,
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
  })
  return { ...result, millisPerCall: ((processorSeconds(side.pid) - before) / result.statuses['200']) * 1e3 }
}
