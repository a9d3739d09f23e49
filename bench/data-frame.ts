/** DataFrames computed from Python by quantd's package: options compared with FastAPI, anomalies with scikit-learn. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { checkBilled } from './http.ts'
import { OTHER_CORE, startFastApi, startQuantd } from './machine.ts'
import { type Figures, type Part, type Row, ratioRow } from './record.ts'

const ROWS = 40_000
const ROUNDS = 15
const WARM_UP_ROUNDS = 3
const FOREST_ROWS = 100_000
const FOREST_ROUNDS = 5
const PYTHON = '/usr/bin/python3'
/** The sums of the prices may differ only by the roundings of scipy's formula. */
const AGREEMENT = 1e-9
/** The sums of the scores differ more, because the trees are random. */
const FOREST_AGREEMENT = 0.05
const PEERS = join(import.meta.dirname, 'peers')

type Work = 'ours' | 'peer' | 'forest' | 'sklearn'

type Client = Awaited<ReturnType<typeof startClient>>

export async function dataFrames(): Promise<Part> {
  const fastApi = await startFastApi('fastapi_frame')
  const quantd = await startQuantd()
  const client = await startClient(quantd.url, quantd.apiKey, fastApi?.url ?? quantd.url)
  const times = await alternate(client, {
    works: ['ours', fastApi === null ? null : 'peer'],
    rows: ROWS,
    rounds: ROUNDS,
    agreement: AGREEMENT,
  })
  const forestRow = await forests(client)
  client.stop()
  await checkBilled(quantd)
  await quantd.stop()
  await fastApi?.stop()
  return {
    rounds: ROUNDS,
    conditions:
      'The service, and FastAPI with one process, pinned to one core; Python with pandas pinned to the other. Every round has other options; on SQLite, charged and durable.',
    peers: { ...fastApi?.versions, ...client.versions },
    rows: [
      ratioRow(
        {
          id: 'data-frame',
          work: `Python: a DataFrame of ${ROWS.toLocaleString('en')} options in, a Series of Black–Scholes prices out`,
          against: 'the same DataFrame as JSON to FastAPI, numpy and scipy, uncharged',
          goal: { is: 'at least', value: 5 },
        },
        perSecond(ROWS, 'rows/s', times[0]),
        fastApi && perSecond(ROWS, 'rows/s', times[1]),
      ),
      forestRow,
    ],
  }
}

/** An isolation forest of a DataFrame over HTTP, and by scikit-learn in the process that has the DataFrame. */
async function forests(client: Client): Promise<Row> {
  const row = {
    id: 'data-frame-forest',
    work: `Python: an isolation forest of 100 trees of a DataFrame of ${FOREST_ROWS.toLocaleString('en')} × 10, a Series of scores out`,
    against: 'scikit-learn in the same process, on one core',
    goal: { is: 'at least', value: 3 },
  } as const
  const [ours, theirs] = await alternate(client, {
    works: ['forest', client.hasSklearn ? 'sklearn' : null],
    rows: FOREST_ROWS,
    rounds: FOREST_ROUNDS,
    agreement: FOREST_AGREEMENT,
  })
  return ratioRow(
    row,
    perSecond(1, 'tables/s', ours),
    client.hasSklearn ? perSecond(1, 'tables/s', theirs) : null,
  )
}

interface Contest {
  /** The second is null where the peer is not installed. */
  readonly works: readonly [Work, Work | null]
  readonly rows: number
  readonly rounds: number
  /** The largest relative difference of the sums of the results. */
  readonly agreement: number
}

/** The times of both sides in milliseconds. */
async function alternate(
  client: Client,
  { agreement, rounds, rows, works: [our, their] }: Contest,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const ours = await client.compute(our, rows, round)
    const theirs = their === null ? ours : await client.compute(their, rows, round)
    if (!(Math.abs(ours.sum / theirs.sum - 1) <= agreement))
      throw new Error(`the sums of the results are ${ours.sum} and ${theirs.sum}`)
    if (round < 0) continue
    times[0].push(ours.milliseconds)
    times[1].push(theirs.milliseconds)
  }
  return times
}

const perSecond = (each: number, unit: string, times: readonly number[]): Figures => ({
  unit,
  rounds: times.map((milliseconds) => (1_000 * each) / milliseconds),
})

/** Python in one process, which makes and computes a DataFrame on request. */
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
  const [python, pandas, sklearn] = (await read()).split('|')
  return {
    versions: { python: python!, pandas: pandas!, ...(sklearn !== '' && { 'scikit-learn': sklearn! }) },
    hasSklearn: sklearn !== '',
    async compute(work: Work, rows: number, round: number) {
      child.stdin.write(`${work} ${rows} ${1_000 + round}\n`)
      const [milliseconds, sum] = (await read()).split(' ').map(Number)
      return { milliseconds: milliseconds!, sum: sum! }
    },
    stop: () => child.stdin.end(),
  }
}
