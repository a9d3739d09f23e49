/** docs/performance.md, its charts, and the other documents that quote measured figures: made from the kept results. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chart } from './chart.ts'
import { explanations } from './explanations.ts'
import { withFigures } from './figures.ts'
import type { ProfiledPart, Shares } from './profile.ts'
import { type Figures, isMet, type Kept, median, type Row, type Series } from './record.ts'
import { commitOf, figureText, read } from './results.ts'

export interface ReportFile {
  /** Relative to the project's root. */
  readonly path: string
  readonly text: string
}

const ROOT = join(import.meta.dirname, '..')

/** Documents with marked figures, besides README.md. */
const QUOTING = ['docs/how-to/connect-ai-clients.md', 'docs/scale.md', 'bench/NOTES.md']

/** In the order of the page. */
const MEASURED = [
  'http-sqlite',
  'http-postgres',
  'processes',
  'batch',
  'columns',
  'mcp',
  'data-frame',
  'steadiness',
  'event-loop',
  'tail',
  'memory',
  'kernels',
  'settle',
]

/** The files as the kept results determine them. */
export function reportFiles(): ReportFile[] {
  return [
    { path: 'docs/performance.md', text: performancePage() },
    ...CHARTS.flatMap(({ part, ...text }) => {
      const series = read(part)?.series
      return series === undefined ? [] : [{ path: `docs/charts/${part}.svg`, text: chart(text, series) }]
    }),
    ...QUOTING.map((path) => ({ path, text: withFigures(readFileSync(join(ROOT, path), 'utf8')) })),
  ]
}

export function writeReport(): void {
  for (const { path, text } of reportFiles()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  }
}

function performancePage(): string {
  const parts = MEASURED.flatMap((name) => read(name) ?? [])
  const rows = [
    ...parts.flatMap((part) => part.rows.map((row) => ({ row, commit: commitOf(part) }))),
    ...analyticsRows(),
  ]
  const met = rows.filter(({ row }) => isMet(row) === true)
  const missed = rows.filter(({ row }) => isMet(row) === false)
  const page = [
    '# Performance',
    '',
    '`npm run bench` measures each part and keeps the figures of every round in `bench/results/`; `npm run generate` makes this page',
    'from them. A part runs quantd and the program it is compared with alternately, on the same core, and reports the median over the',
    'rounds; a ratio is the median of the ratios of the rounds. Absolute figures on a shared machine vary by a third from run to run:',
    'compare the ratios. The last column is the commit that was measured; parts were measured at different commits.',
    '',
    ...machineLines(parts),
    '',
    '| Work | Compared with | Goal | Measured | quantd | Other | Commit |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(({ row, commit }) => tableLine(row, commit)),
    '',
    `${met.length} goals are met, ${missed.length} are missed.`,
    '',
    ...(missed.length > 0
      ? ['## Missed goals and their causes', '', ...missed.flatMap(({ row }) => missedLines(row))]
      : []),
    ...chartLines(),
    ...profileLines(),
    '## Measuring conditions of each part',
    '',
    ...parts.map(
      (part) =>
        `- **${part.part}** (${part.rounds} rounds, ${part.at.slice(0, 10)}, commit ${commitOf(part)}, ${part.machine.cpu}): ${part.conditions}`,
    ),
    '',
  ]
  return page.join('\n')
}

/** The machines, which differ in their processors; versions that are the same for all parts, and those of single parts. */
function machineLines(parts: readonly Kept[]): string[] {
  const last = parts.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1)
  if (last === undefined) return []
  const { cores, kernel, memoryGiB } = last.machine
  const processors = new Set(parts.map(({ machine }) => machine.cpu))
  const { quantd: _, ...own } = last.versions
  const peers = Object.assign({}, ...parts.map((part) => part.peers ?? {})) as Record<string, string>
  const names = Object.entries({ ...own, ...peers }).map(([name, version]) => `${name} ${version}`)
  const analytics = read<Analytics>('analytics')
  const loads = parts.map(({ machine }) => machine.loadAverage ?? 0)
  return [
    `Machines: ${[...processors].join(' or ')} (stated for each part below), ${cores} cores, ${memoryGiB} GiB, Linux ${kernel}; load average before the parts ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.`,
    `Versions: ${names.join(', ')}${analytics === undefined ? '' : `; analytics: ${analytics.versions}`}.`,
  ]
}

function tableLine(row: Row, commit: string): string {
  const { against, goal, measured, note, unit, work } = row
  const met = isMet(row)
  const aim = goal === null ? '–' : `${goal.is === 'at least' ? '≥' : '≤'} ${goal.value} ${unit}`
  const figure =
    measured === null
      ? 'not measured'
      : `${figureText(measured)} ${unit}${met === false ? ' **missed**' : ''}`
  const remark = measured === null && note !== undefined ? ` (${note})` : ''
  return `| ${work} | ${against} | ${aim} | ${figure}${remark} | ${side(row.ours)} | ${side(row.theirs)} | ${commit} |`
}

const side = (figures: Figures | null): string =>
  figures === null ? '–' : `${figureText(median(figures.rounds))} ${figures.unit}`

const missedLines = (row: Row): string[] => [
  `**${row.work}**: ${figureText(row.measured!)} ${row.unit} instead of ${row.goal!.value} ${row.unit}. ${[explanations[row.id] ?? 'Cause not known.', row.note ?? ''].join(' ').trim()}`,
  '',
]

const CHARTS = [
  {
    part: 'audit-growth',
    title: 'Cost of calls and of the history by rows of the audit on PostgreSQL',
    x: 'rows of the audit, in 365 days',
    y: 'milliseconds',
  },
  { part: 'growth', title: 'Computing time by rows', x: 'rows', y: 'milliseconds' },
  {
    part: 'connections',
    title: 'Black–Scholes calls per second by connections',
    x: 'connections',
    y: 'requests/s',
  },
] as const

function chartLines(): string[] {
  return CHARTS.flatMap(({ part, title }) => {
    const kept = read(part)
    if (kept?.series === undefined) return []
    const slopes = part === 'growth' ? ['', ...kept.series.map(slopeLine)] : []
    const measuredAt = `${kept.conditions} Measured at commit ${commitOf(kept)}.`
    return [`## ${title}`, '', `![${title}](charts/${part}.svg)`, '', measuredAt, ...slopes, '']
  })
}

/** Between the last two points a decade apart, where the fixed cost of a call is negligible. */
function slopeLine({ name, points }: Series): string {
  const [x, y] = points.at(-1)!
  const [x0, y0] = points.at(-3)!
  const power = Math.log(y / y0) / Math.log(x / x0)
  return `- ${name}: ${figureText(y)} ms for ${x.toLocaleString('en')} rows; over the last decade of rows, time grows as rows to the power of ${power.toFixed(2)}`
}

function profileLines(): string[] {
  const kept = read<ProfiledPart & Kept>('profile')
  if (kept === undefined) return []
  const table = ({ idle, name, parts }: Shares) => [
    `On ${name} (${Math.round(100 * idle)} % idle): ${parts.map(([part, share]) => `${part} ${(100 * share).toFixed(0)} %`).join(', ')}.`,
    '',
  ]
  return [
    '## Profile of a metered call',
    '',
    `${kept.conditions} File names are those of the measured commit, ${commitOf(kept)}.`,
    '',
    ...kept.profiles.flatMap(table),
  ]
}

interface Analytics {
  readonly commit: string
  readonly versions: string
  readonly results: readonly {
    readonly name: string
    readonly goal: number
    readonly ratio: number | null
    readonly ours: number
    readonly theirs: number | null
  }[]
}

/** The analytics record times, so a ratio is the other program's time divided by quantd's. */
function analyticsRows(): { row: Row; commit: string }[] {
  const analytics = read<Analytics>('analytics')
  if (analytics === undefined) return []
  return analytics.results.map(({ goal, name, ours, ratio, theirs }) => ({
    commit: analytics.commit,
    row: {
      id: `analytics ${name}`,
      work: name,
      against: /AUC|forest/.test(name) ? 'scikit-learn on one core' : 'numpy on one core',
      goal: { is: 'at least', value: goal },
      measured: ratio,
      unit: '×',
      ours: { unit: 'ms', rounds: [ours] },
      theirs: theirs === null ? null : { unit: 'ms', rounds: [theirs] },
      ...(ratio === null && { note: 'not installed on this machine' }),
    },
  }))
}

if (process.argv[1] === import.meta.filename) writeReport()
