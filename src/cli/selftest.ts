/** `quantd selftest`: the reference vectors against the running build. */
import { operations } from '../catalogue/index.ts'
import { type Replayed, replay } from './selftest/replay.ts'
import { vectorFiles } from './selftest/vectors.ts'

/** A row per family of cases, in the order of the operations. */
export function selftest(): Replayed[] {
  for (const { name, path } of vectorFiles)
    if (!operations.some((operation) => operation.path === path))
      throw new Error(`The vectors ${name}.json are about ${path}, but no operation has this path.`)
  return operations.flatMap((operation) =>
    vectorFiles.filter(({ path }) => path === operation.path).flatMap((file) => replay(file, operation)),
  )
}

/** Operations that no vector file is about. */
export const operationsWithoutVectors = () =>
  operations.filter((operation) => !vectorFiles.some(({ path }) => path === operation.path))

/** Prints the table; the exit code tells whether every case is within its tolerance. */
export function selftestCommand({ markdown = false }: { markdown?: boolean }): void {
  const rows = selftest()
  console.log(markdown ? accuracyPage(rows) : plainTable(rows))
  if (rows.some((row) => row.failures.length > 0)) process.exitCode = 1
}

const HEADINGS = ['vectors', 'family', 'cases', 'worst rel. error', 'of tolerance', 'case']

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
  const missing = operationsWithoutVectors().map(({ title }) => title)
  return `# Accuracy

\`npm run generate\` makes this page from the reference vectors in src/cli/selftest/vectors; \`quantd selftest\` prints the
same table for the installed build. The vectors were computed exactly or to at least 40 digits, except those of the isolation
forest, which are compared with scikit-learn. The README.md beside the vectors names the methods.

The error is the largest relative difference from the exact value in the family. It includes errors caused by cancellation
in the problem itself. The next column states the largest error as a share of the tolerance of its case, which accounts for
the conditioning of the case. For derivatives, the exact value is that of the requested finite difference. For the isolation
forest, the error is the amount by which the area under the ROC curve falls short of scikit-learn's mean over ten seeds.

variance_gamma_wide holds 156 values drawn over the accepted domain of Variance Gamma (src/cli/selftest/vectors/README.md says which
ranges); the other files cover the domains named there. All these prices are within a relative 1e-12, or 100 roundings of their
condition number where that is more. About half of the drawn values had no second method that finished, and were left out:
the bound is verified at these points, not proven for every input.

${line(HEADINGS)}
${line(HEADINGS.map(() => '---'))}
${rows.map((row) => line(cells(row))).join('\n')}

${summary(rows)} Operations without reference vectors: ${missing.join(', ') || 'none'}.
`
}
