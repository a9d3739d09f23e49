/** Writes docs/performance.md and its charts from the results that were kept. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chart } from './chart.ts'
import { explanations } from './explanations.ts'
import type { ProfiledPart, Shares } from './profile.ts'
import { type Figures, isMet, type Kept, median, type Row, type Series } from './record.ts'

const RESULTS = new URL('results/', import.meta.url)
const DOCS = new URL('../docs/', import.meta.url)

/** In the order of the page. */
const MEASURED = [
  'http-sqlite',
  'http-postgres',
  'processes',
  'batch',
  'steadiness',
  'event-loop',
  'memory',
  'kernels',
  'settle',
]

export function writeReport(): void {
  const parts = MEASURED.flatMap((name) => read<Kept>(name) ?? [])
  const rows = [...parts.flatMap((part) => part.rows), ...analyticsRows()]
  const missed = rows.filter((row) => isMet(row) === false)
  mkdirSync(new URL('charts/', DOCS), { recursive: true })
  const page = [
    '# Performance',
    '',
    'Made by `npm run bench`; the figures of every round are in `bench/results/`. Each part runs ours and the other in turn, on the same',
    'core, in one run, and gives the median over the rounds; a ratio is the median of the rounds’ own ratios. Absolute figures of a shared',
    'machine drift by a third from run to run: the ratios are what counts.',
    '',
    ...machineLines(parts),
    '',
    '| work | against | goal | measured | ours | theirs |',
    '|---|---|---|---|---|---|',
    ...rows.map(tableLine),
    '',
    `${rows.filter((row) => isMet(row) === true).length} goals are met, ${missed.length} are missed.`,
    '',
    ...(missed.length > 0 ? ['## Goals missed, and why', '', ...missed.flatMap(missedLines)] : []),
    ...chartLines(),
    ...profileLines(),
    '## How each part is measured',
    '',
    ...parts.map(
      ({ at, conditions, part, rounds }) =>
        `- **${part}** (${rounds} rounds, ${at.slice(0, 10)}): ${conditions}`,
    ),
    '',
  ]
  writeFileSync(new URL('performance.md', DOCS), page.join('\n'))
}

function read<Content>(name: string): Content | undefined {
  const file = new URL(`${name}.json`, RESULTS)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Content) : undefined
}

function machineLines(parts: readonly Kept[]): string[] {
  const last = parts.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1)
  if (last === undefined) return []
  const { cores, cpu, kernel, memoryGiB } = last.machine
  const peers = Object.assign({}, ...parts.map((part) => part.peers ?? {})) as Record<string, string>
  const names = Object.entries({ ...last.versions, ...peers }).map(([name, version]) => `${name} ${version}`)
  const analytics = read<Analytics>('analytics')
  const loads = parts.map(({ machine }) => machine.loadAverage ?? 0)
  return [
    `Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB, Linux ${kernel}; load average before the parts ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.`,
    `Versions: ${names.join(', ')}${analytics === undefined ? '' : `; analytics: ${analytics.versions}`}.`,
  ]
}

function tableLine(row: Row): string {
  const { against, goal, measured, note, unit, work } = row
  const met = isMet(row)
  const aim = goal === null ? '–' : `${goal.is === 'at least' ? '≥' : '≤'} ${goal.value} ${unit}`
  const figure =
    measured === null
      ? 'not measured'
      : `${figureText(measured)} ${unit}${met === false ? ' **missed**' : ''}`
  const remark = measured === null && note !== undefined ? ` (${note})` : ''
  return `| ${work} | ${against} | ${aim} | ${figure}${remark} | ${side(row.ours)} | ${side(row.theirs)} |`
}

const side = (figures: Figures | null): string =>
  figures === null ? '–' : `${figureText(median(figures.rounds))} ${figures.unit}`

const figureText = (value: number): string =>
  value >= 1_000
    ? Math.round(Number(value.toPrecision(3))).toLocaleString('en')
    : String(Number(value.toPrecision(3)))

const missedLines = (row: Row): string[] => [
  `**${row.work}**: ${figureText(row.measured!)} ${row.unit} instead of ${row.goal!.value} ${row.unit}. ${[explanations[row.id] ?? 'Not explained yet.', row.note ?? ''].join(' ').trim()}`,
  '',
]

const CHARTS = [
  { part: 'growth', title: 'Time against rows', x: 'rows', y: 'milliseconds' },
  {
    part: 'connections',
    title: 'Black–Scholes calls a second against connections',
    x: 'connections',
    y: 'requests/s',
  },
] as const

function chartLines(): string[] {
  return CHARTS.flatMap(({ part, title, x, y }) => {
    const kept = read<Kept>(part)
    if (kept?.series === undefined) return []
    writeFileSync(new URL(`charts/${part}.svg`, DOCS), chart({ title, x, y }, kept.series))
    const slopes = part === 'growth' ? ['', ...kept.series.map(slopeLine)] : []
    return [`## ${title}`, '', `![${title}](charts/${part}.svg)`, '', kept.conditions, ...slopes, '']
  })
}

/** Between the last points a decade apart: there the start of a call no longer counts. */
function slopeLine({ name, points }: Series): string {
  const [x, y] = points.at(-1)!
  const [x0, y0] = points.at(-3)!
  const power = Math.log(y / y0) / Math.log(x / x0)
  return `- ${name}: ${figureText(y)} ms for ${x.toLocaleString('en')} rows; over the last decade time grows with rows to the power of ${power.toFixed(2)}`
}

function profileLines(): string[] {
  const kept = read<ProfiledPart & Kept>('profile')
  if (kept === undefined) return []
  const table = ({ idle, name, parts }: Shares) => [
    `On ${name} (${Math.round(100 * idle)} % idle): ${parts.map(([part, share]) => `${part} ${(100 * share).toFixed(0)} %`).join(', ')}.`,
    '',
  ]
  return [
    '## Where the time of a metered call goes',
    '',
    kept.conditions,
    '',
    ...kept.profiles.flatMap(table),
  ]
}

interface Analytics {
  readonly versions: string
  readonly results: readonly {
    readonly name: string
    readonly goal: number
    readonly ratio: number | null
    readonly ours: number
    readonly theirs: number | null
  }[]
}

/** Times, so that the ratio is theirs to ours. */
function analyticsRows(): Row[] {
  return (read<Analytics>('analytics')?.results ?? []).map(({ goal, name, ours, ratio, theirs }) => ({
    id: `analytics ${name}`,
    work: name,
    against: /AUC|forest/.test(name) ? 'scikit-learn on one core' : 'numpy on one core',
    goal: { is: 'at least', value: goal },
    measured: ratio,
    unit: '×',
    ours: { unit: 'ms', rounds: [ours] },
    theirs: theirs === null ? null : { unit: 'ms', rounds: [theirs] },
    ...(ratio === null && { note: 'not installed here' }),
  }))
}

if (process.argv[1] === import.meta.filename) writeReport()
