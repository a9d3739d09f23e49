/** The documents that quote measured figures, and their charts, made from the kept results. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chart } from './chart.ts'
import { withFigures } from './figures.ts'
import { read } from './results.ts'

export interface ReportFile {
  /** Relative to the project's root. */
  readonly path: string
  readonly text: string
}

const ROOT = join(import.meta.dirname, '..')

/** Documents with marked figures, besides README.md. */
const QUOTING = [
  'docs/performance.md',
  'docs/scale.md',
  'docs/how-to/connect-ai-clients.md',
  'docs/how-to/use-python.md',
]

const CHARTS = [
  {
    part: 'audit-growth',
    title: 'Cost of calls and of the history by rows of the audit on PostgreSQL',
    x: 'rows of the audit, in 365 days',
    y: 'milliseconds',
  },
  {
    part: 'connections',
    title: 'Black–Scholes calls per second by connections',
    x: 'connections',
    y: 'requests/s',
  },
] as const

export const reportFiles = (): ReportFile[] => [
  ...CHARTS.flatMap(({ part, ...text }) => {
    const series = read(part)?.series
    return series === undefined ? [] : [{ path: `docs/charts/${part}.svg`, text: chart(text, series) }]
  }),
  ...QUOTING.map((path) => ({ path, text: withFigures(readFileSync(join(ROOT, path), 'utf8')) })),
]

export function writeReport(): void {
  for (const { path, text } of reportFiles()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  }
}
