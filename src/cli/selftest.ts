/** `quantd selftest`: the reference vectors against the running build. */
import { operations } from '../catalogue/index.ts'
import { type Replayed, replay } from './selftest/replay.ts'
import { casesOf, vectorFiles } from './selftest/vectors.ts'

/** All files, a row per family. */
export function selftest(): Replayed[] {
  return vectorFiles.flatMap((file) => {
    const operation = operations.find(({ path }) => path === file.path)
    if (operation === undefined) throw new Error(`No operation is served at ${file.path}.`)
    return replay(file, operation, casesOf(file))
  })
}

/** Prints the table; the exit code tells whether every case is within its tolerance. */
export function selftestCommand({ markdown = false }: { markdown?: boolean }): void {
  const rows = selftest()
  console.log(markdown ? accuracyPage(rows) : plainTable(rows))
  if (rows.some((row) => row.failures.length > 0)) process.exitCode = 1
}

const HEADINGS = ['vectors', 'family', 'cases', 'worst rel. error', 'of its tolerance', 'where']

const cells = (row: Replayed): string[] => [
  row.file,
  row.family,
  String(row.cases),
  row.worstRelative === 0 ? '0' : row.worstRelative.toExponential(1),
  `${row.worstShare < 0.0005 ? '0' : (100 * row.worstShare).toPrecision(2)} %`,
  row.failures.length > 0 ? `OUT OF TOLERANCE: ${row.failures.join(', ')}` : row.worstCase,
]

function plainTable(rows: readonly Replayed[]): string {
  const table = [HEADINGS, ...rows.map(cells)]
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((line) => line[column]!.length)))
  const lines = table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n\n${summary(rows)}`
}

function summary(rows: readonly Replayed[]): string {
  const cases = rows.reduce((sum, row) => sum + row.cases, 0)
  const failures = rows.reduce((sum, row) => sum + row.failures.length, 0)
  return failures === 0
    ? `${cases} cases, all within their tolerance.`
    : `${cases} cases, ${failures} results out of tolerance.`
}

/** docs/accuracy.md. */
export function accuracyPage(rows: readonly Replayed[]): string {
  const line = (columns: readonly string[]) => `| ${columns.join(' | ')} |`
  return `# Accuracy

Made by \`quantd selftest --markdown\` from the reference vectors in test/fixtures, which were computed with 40 and
more digits and by two methods each (test/fixtures/README.md says how). The error is the largest relative
difference from the exact value in the family, also where cancellation in the problem itself makes it large; the
next column is the largest error as a share of what its case allows (its conditioning included). For derivatives the
exact value is the finite difference that was asked for; for the isolation forest the error is how far the area under
the ROC curve is below scikit-learn's mean of ten seeds.

variance_gamma_wide sweeps the whole accepted domain of Variance Gamma (test/fixtures/README.md says which ranges); the
other files cover the domains named there. Variance Gamma prices are exact to a relative 1e-12, or to 100 roundings of
their condition number where that is more.

${line(HEADINGS)}
${line(HEADINGS.map(() => '---'))}
${rows.map((row) => line(cells(row))).join('\n')}

${summary(rows)}
`
}
