/** The checked-in files that are made from the declarations, the kept measurements and the vectors. */
import { withFigures } from '../bench/figures.ts'
import { reportFiles } from '../bench/report.ts'
import { accuracyPage, selftest } from '../src/cli/selftest.ts'
import { generatedFiles } from '../src/derive/generated.ts'
import { keptRows } from '../test/numerics/sweep/results.ts'

const rows = selftest()

/** The reference cases that are out of their tolerance. */
export const faults: readonly string[] = rows.flatMap(({ failures, file }) =>
  failures.map((failure) => `${file}: the case ${failure} is out of tolerance`),
)

export const derivedFiles: readonly { readonly path: string; readonly text: string }[] = [
  ...generatedFiles().map(({ path, text }) => ({
    path,
    text: path === 'README.md' ? withFigures(text) : text,
  })),
  ...reportFiles(),
  { path: 'docs/accuracy.md', text: accuracyPage(rows, keptRows()) },
]
