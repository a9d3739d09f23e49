/** A DataFrame of options priced from Python: quantd's package compared with FastAPI, numpy and scipy. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { checkBilled } from './http.ts'
import { OTHER_CORE, type Server, startPeer, startQuantd } from './machine.ts'
import { type Figures, median, type Part, ratioRow } from './record.ts'

const ROWS = 40_000
const ROUNDS = 15
const WARM_UP_ROUNDS = 3
const PYTHON = '/usr/bin/python3'
/** The sums of the prices differ by the roundings of scipy's formula only. */
const AGREEMENT = 1e-9
const PEERS = join(import.meta.dirname, 'peers')

type Side = 'ours' | 'peer'

export async function dataFrames(): Promise<Part> {
  const fastApi = await startFastApi()
  const quantd = await startQuantd()
  const client = await startClient(quantd.url, quantd.apiKey, fastApi?.url ?? quantd.url)
  const times: Record<Side, number[]> = { ours: [], peer: [] }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const ours = await client.price('ours', round)
    const peer = fastApi === null ? ours : await client.price('peer', round)
    if (Math.abs(ours.sum / peer.sum - 1) > AGREEMENT)
      throw new Error(`the sums of the prices are ${ours.sum} and ${peer.sum}`)
    if (round < 0) continue
    times.ours.push(ours.milliseconds)
    times.peer.push(peer.milliseconds)
  }
  client.stop()
  await checkBilled(quantd)
  const versions =
    fastApi === null ? {} : ((await (await fetch(`${fastApi.url}/readyz`)).json()) as Record<string, string>)
  await quantd.stop()
  await fastApi?.stop()
  const work = `Python: a DataFrame of ${ROWS.toLocaleString('en')} options in, a Series of Black–Scholes prices out`
  const goal = { is: 'at least', value: 5 } as const
  const against = 'the same DataFrame as JSON to FastAPI, numpy and scipy, uncharged'
  const compared = { id: 'data-frame', work, against, goal }
  return {
    rounds: ROUNDS,
    conditions:
      'The service, and FastAPI with one process, pinned to one core; Python with pandas pinned to the other. Every round has other options; on SQLite, charged and durable.',
    peers: { ...versions, ...client.versions },
    rows: [
      fastApi === null
        ? {
            ...compared,
            measured: null,
            unit: '×',
            ours: null,
            theirs: null,
            note: 'FastAPI is not installed',
          }
        : ratioRow(compared, rowsPerSecond(times.ours), rowsPerSecond(times.peer)),
      {
        id: 'data-frame-time',
        work,
        against: '–',
        goal: { is: 'at most', value: 300 },
        measured: median(times.ours),
        unit: 'ms',
        ours: { unit: 'ms', rounds: times.ours },
        theirs: null,
      },
    ],
  }
}

const rowsPerSecond = (times: readonly number[]): Figures => ({
  unit: 'rows/s',
  rounds: times.map((milliseconds) => (1_000 * ROWS) / milliseconds),
})

const startFastApi = (): Promise<Server | null> =>
  startPeer(
    PYTHON,
    (port) => [
      ...['-m', 'uvicorn', '--app-dir', PEERS, 'fastapi_frame:app'],
      ...['--port', String(port), '--no-access-log', '--log-level', 'warning', '--workers', '1'],
    ],
    { PYTHONDONTWRITEBYTECODE: '1' },
  )

/** Python in one process, which makes and prices a DataFrame on request. */
async function startClient(url: string, key: string, peer: string) {
  const { hostname, port } = new URL(peer)
  const script = join(PEERS, 'frame_client.py')
  const child = spawn('taskset', ['-c', OTHER_CORE, PYTHON, script, url, key, hostname, port], {
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: join(import.meta.dirname, '../clients/python'),
      PYTHONDONTWRITEBYTECODE: '1',
      OPENBLAS_NUM_THREADS: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done) throw new Error('Python ended; numpy and pandas must be installed (Debian: python3-pandas)')
    return value
  }
  const [python, pandas] = (await read()).split('|')
  return {
    versions: { python: python!, pandas: pandas! },
    async price(side: Side, round: number) {
      child.stdin.write(`${side} ${ROWS} ${1_000 + round}\n`)
      const [milliseconds, sum] = (await read()).split(' ').map(Number)
      return { milliseconds: milliseconds!, sum: sum! }
    },
    stop: () => child.stdin.end(),
  }
}
