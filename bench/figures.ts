/** Measured figures in documents: each is marked by name and filled in from the kept results. */
import { facts } from './facts.ts'
import { type Figures, isMet, median, type Row, type Series } from './record.ts'
import { figureText, kept, read, rowOf } from './results.ts'

const MARKED = /(<!-- figure: ([\w-]+) -->)[\s\S]*?(<!-- end -->)/g

/** `<!-- figure: NAME -->…<!-- end -->`: renews the text between the marks. */
export function withFigures(document: string): string {
  return document.replace(MARKED, (_, begin: string, name: string, end: string) => {
    const figure = figures[name] ?? facts[name]
    if (figure === undefined) throw new Error(`A document asks for the unknown figure ${name}.`)
    return begin + figure() + end
  })
}

/** The text for a side whose program is not installed, or for a database on which a part does not run. */
const NOT_MEASURED = 'not measured'

type Engine = 'SQLite' | 'PostgreSQL'
const HTTP: Readonly<Record<Engine, string>> = { SQLite: 'http-sqlite', PostgreSQL: 'http-postgres' }

const figures: Readonly<Record<string, () => string>> = {
  sizing,
  instead,
  connections,
  capacity,
  topologies,
  'audit-growth': auditGrowth,
  'audit-volume': auditVolume,
  'sqlite-calls': () => figureText(callsPerSecond('SQLite')),
  'postgres-calls': () => figureText(callsPerSecond('PostgreSQL')),
  'echo-calls': () => figureText(median(rowOf(kept('http-sqlite'), 'http-sqlite').theirs!.rounds)),
  'postgres-settlements': () => figureText(mostSettlements('PostgreSQL')),
  'batch-calls': () => figureText(batchCalls('batch')),
  'column-rows': () => figureText(rowsPerSecond('columns-arrow')),
  'sqlite-gb-of-50-million': () => figureText((50e6 * bytesPerCall('SQLite')) / 1e9),
  'postgres-mb-per-second': () => figureText((PEAK * bytesPerCall('PostgreSQL')) / 1e6),
  /** The range from full load to half load of each core. */
  'postgres-processes': () => {
    const least = Math.ceil(PEAK / callsPerSecond('PostgreSQL'))
    return `${least} to ${2 * least}`
  },
  'memory-idle': () => measured('memory', 'memory-idle'),
  'memory-peak': () => measured('memory', 'memory-peak'),
  'steady-p99': () => measured('steadiness', 'steady-p99'),
  'mcp-2025': () => measured('mcp', 'mcp-2025-11-25'),
  'mcp-2026': () => measured('mcp', 'mcp-2026-07-28'),
}

/** A billion calls a day at three times the mean, per second. */
const PEAK = 35_000

const callsPerSecond = (engine: Engine): number =>
  median(rowOf(kept(HTTP[engine]), HTTP[engine]).ours!.rounds)

const measured = (part: string, id: string): string => figureText(rowOf(kept(part), id).measured!)

const rowsPerSecond = (id: string): number => median(rowOf(kept('columns'), id).ours!.rounds)

const batchCalls = (id: string): number => median(rowOf(kept('batch'), id).ours!.rounds)

/** Bytes of an audit row with its index entries: the megabytes of a million calls. */
const bytesPerCall = (engine: Engine): number => rowOf(kept('settle'), `settle-${engine}-bytes`).measured!

const settled = (engine: Engine): Series['points'] =>
  seriesOf('settle', `${engine}: settlements/s by concurrency`).points

const mostSettlements = (engine: Engine): number => Math.max(...settled(engine).map(([, rate]) => rate))

function seriesOf(part: string, name: string): Series {
  const series = kept(part).series?.find((one) => one.name === name)
  if (series === undefined) throw new Error(`bench/results/${part}.json has no series ${name}`)
  return series
}

/** The three figures that docs/performance.md begins with. */
function sizing(): string {
  const both = (figure: (engine: Engine) => number) =>
    (['SQLite', 'PostgreSQL'] as const).map((engine) => figureText(figure(engine)))
  const [arrow, json] = [rowsPerSecond('columns-arrow'), rowsPerSecond('columns-json')].map(figureText)
  return table(
    ['', 'SQLite', 'PostgreSQL'],
    [
      [
        'single Black–Scholes calls a second, one process on one core, 32 connections',
        ...both(callsPerSecond),
      ],
      ['Black–Scholes rows a second as columns, two cores: Arrow / JSON', `${arrow} / ${json}`, NOT_MEASURED],
      ['bytes of disk a call, with its indexes', ...both(bytesPerCall)],
    ],
  )
}

/** Part, row, and the words for our work and for the other side. */
const INSTEAD = [
  ['http-sqlite', 'http-fastapi', 'single Black–Scholes calls', 'QuantLib, one SQLite commit a call'],
  ['data-frame', 'data-frame', 'a pandas DataFrame of 40,000 options to prices', 'JSON, numpy and scipy'],
  [
    ...['data-frame', 'data-frame-forest', 'an isolation forest of a DataFrame of 100,000 × 10'],
    'scikit-learn in the caller’s process',
  ],
  [
    ...['tail', 'tail-fastapi-two', 'discrimination of 10,000 rows, slowest of 100 replies (p99)'],
    'scikit-learn',
  ],
] as const

function instead(): string {
  const rows = INSTEAD.map(([part, id, work, other]) => [work, ...comparison(rowOf(kept(part), id), other)])
  return table(['Work', 'quantd', 'Instead', '', 'quantd relative to it'], rows)
}

/** The cells of our side, the other side and their ratio; the last two are not measured without the other side's program. */
function comparison({ measured, ours, theirs }: Row, other: string): string[] {
  const side = (figures: Figures | null) =>
    figures === null ? NOT_MEASURED : `${figureText(median(figures.rounds))} ${figures.unit}`
  return [side(ours), other, side(theirs), measured === null ? NOT_MEASURED : `${figureText(measured)} ×`]
}

/** Rates by connections, and the processor time of a call relative to that of the bare route. */
function connections(): string {
  const part = kept('connections')
  const ratio = (engine: Engine, count: number): string => {
    const row = part.rows.find(({ id }) => id === `call-${engine.toLowerCase()}-${count}`)
    return row === undefined ? NOT_MEASURED : `${figureText(row.measured!)} ×`
  }
  const series = part.series!
  const counts = series[0].points.map(([count]) => count).filter((count) => count <= 64)
  const rows = counts.map((count, place) => [
    String(count),
    ...series.map(({ points }) => figureText(points[place][1])),
    ...[ratio('SQLite', count), ratio('PostgreSQL', count)],
  ])
  return table(
    [
      'Connections',
      'SQLite, calls/s',
      'PostgreSQL, calls/s',
      'bare route, requests/s',
      'processor time: SQLite',
      'PostgreSQL',
    ],
    rows,
  )
}

function capacity(): string {
  const rates = (engine: Engine) => settled(engine).map(([, rate]) => figureText(rate))
  const calls = settled('SQLite').map(([concurrency]) => concurrency)
  return table(
    ['', 'SQLite', 'PostgreSQL 18'],
    [
      [
        `settlements/s of the ledger alone, at ${calls.join(' / ')} concurrent calls`,
        ...[rates('SQLite').join(' / '), rates('PostgreSQL').join(' / ')],
      ],
      [
        'calls/s over HTTP, one process on one core, 32 connections',
        ...[figureText(callsPerSecond('SQLite')), figureText(callsPerSecond('PostgreSQL'))],
      ],
      [
        'computations/s in batches of 5,000: one batch at a time / four at a time',
        ...[`${figureText(batchCalls('batch'))} / ${figureText(batchCalls('batch-four'))}`, NOT_MEASURED],
      ],
      [
        'bytes per call in the audit table and its indexes',
        ...[figureText(bytesPerCall('SQLite')), figureText(bytesPerCall('PostgreSQL'))],
      ],
    ],
  )
}

const TOPOLOGIES = [
  {
    id: 'sqlite',
    name: 'one SQLite file',
    servers: [],
    next: 'one node is too slow, or the service must survive the loss of a node',
  },
  {
    id: 'one',
    name: 'one PostgreSQL, several nodes',
    servers: ['server'],
    next: 'the service must survive the loss of the database server or its disk',
  },
  {
    id: 'standby',
    name: 'PostgreSQL with a synchronous standby',
    servers: ['primary', 'standby'],
    next: 'the audit is too large for one server, or grows too fast for it',
  },
  {
    id: 'citus',
    name: 'Citus, one coordinator and two workers',
    servers: ['coordinator', 'workers'],
    next: 'the workers are busy: add workers',
  },
  {
    id: 'citus-4',
    name: 'Citus, one coordinator and four workers',
    servers: ['coordinator', 'workers'],
    next: 'the workers are busy: add workers',
  },
]

/** Ratios are of rounds taken by turns, so that they hold on a busy machine; rates do not. */
function topologies(): string {
  const part = read('topologies')
  // It needs programs that few machines have.
  if (part === undefined) return '\nNot measured.\n'
  const measured = TOPOLOGIES.filter(({ id }) => part.rows.some((row) => row.id === `topologies-${id}-64`))
  const rows = measured.map(({ id, name, next, servers }) => {
    const at = (concurrency: number) => rowOf(part, `topologies-${id}-${concurrency}`)
    // A millisecond a call is a thousand seconds a million.
    const seconds = (concurrency: number) =>
      ['quantd', ...servers]
        .map((server) => rowOf(part, `topologies-${id}-${concurrency}-${server}`).measured! * 1_000)
        .map(figureText)
        .join(' + ')
    return [
      [name, ...(servers.length > 0 ? [`(${servers.join(', ')})`] : [])].join(' '),
      [64, 256].map((concurrency) => `${figureText(at(concurrency).measured!)} ×`).join(' / '),
      ...[seconds(64), seconds(256)],
      figureText(rowOf(part, `topologies-${id}-256-bytes`).measured!),
      next,
    ]
  })
  const head = [
    'topology',
    'settlements/s at 64 / 256 concurrent calls, relative to one PostgreSQL',
    ...[64, 256].map((calls) => `processor seconds of a million calls at ${calls}: quantd + servers`),
    'MB on disk of a million calls, in all copies',
    'reason for the next topology',
  ]
  return `${table(head, rows)}\nMeasured on the ledger without HTTP, in one process.\n`
}

/** Ratios are of rounds taken by turns, so that they hold on a busy machine; the milliseconds do not. */
function auditGrowth(): string {
  const part = read('audit-growth')
  if (part === undefined) return '\nNot measured.\n'
  const points = part.series![0].points.map(([rows]) => rows)
  const [fewest, most] = [Math.min(...points), Math.max(...points)]
  const cells = part.rows.map((row) => {
    const ms = (side: typeof row.ours) => figureText(median(side!.rounds))
    const isMissed = isMet(row) === false ? ' **missed**' : ''
    return [row.work, ms(row.theirs), ms(row.ours), `${figureText(row.measured!)} ×${isMissed}`]
  })
  const heads = [fewest, most].map((rows) => `ms, ${rows.toLocaleString('en')} rows`)
  return `${table(['', ...heads, 'ratio (goal at most 1.1)'], cells)}\n${part.conditions} Other programs ran at the same time: the ratios are valid, but the milliseconds are too high.\n`
}

/** A billion calls of n bytes take n gigabytes. */
function auditVolume(): string {
  const bytes = bytesPerCall('PostgreSQL')
  return table(
    ['', 'per day', 'per second, mean', 'per second, at a peak of three times the mean'],
    [
      ['single calls', '1,000,000,000', '11,600', PEAK.toLocaleString('en')],
      [
        `audit rows on PostgreSQL, ${figureText(bytes)} bytes each with their indexes`,
        ...[`${figureText(bytes)} GB`, `${figureText((11_600 * bytes) / 1e6)} MB`],
        `${figureText((PEAK * bytes) / 1e6)} MB`,
      ],
      ['the same kept for 90 days', `${figureText((90 * bytes) / 1e3)} TB`, '', ''],
      ['in batches of 1,000: ledger entries', '1,000,000', '12', '35'],
      ['in batches of 1,000: audit rows', `${figureText(bytes / 1e3)} GB`, '', ''],
    ],
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `\n${lines.join('\n')}\n`
}
