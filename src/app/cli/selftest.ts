/** `quantd selftest`: compares the running build with the reference vectors. */
import { operations } from '../../compute/catalogue/index.ts'
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

/** Prints the table; the exit code tells whether every case is within its tolerance. */
export function selftestCommand(): void {
  const rows = selftest()
  console.log(plainTable(rows))
  if (rows.some((row) => row.failures.length > 0)) process.exitCode = 1
}

export const HEADINGS = ['vectors', 'family', 'cases', 'worst rel. error', 'of tolerance', 'case']

export const cells = (row: Replayed): string[] => [
  row.file,
  row.family,
  String(row.cases),
  row.worstRelative === 0 ? '0' : row.worstRelative.toExponential(1),
  `${row.worstShare < 0.0005 ? '0' : (100 * row.worstShare).toPrecision(2)} %`,
  row.failures.length > 0 ? `OUT OF TOLERANCE: ${row.failures.join(', ')}` : row.worstCase,
]

function plainTable(rows: readonly Replayed[]): string {
  const table = [HEADINGS, ...rows.map(cells)]
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((line) => line[column].length)))
  const lines = table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n\n${summary(rows)}`
}

export function summary(rows: readonly Replayed[]): string {
  const cases = rows.reduce((sum, row) => sum + row.cases, 0)
  const failures = rows.reduce((sum, row) => sum + row.failures.length, 0)
  return failures === 0
    ? `${cases} cases, all within their tolerance.`
    : `${cases} cases, ${failures} results out of tolerance.`
}
