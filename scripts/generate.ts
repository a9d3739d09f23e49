/** Writes the generated files: from the declarations, the kept measurements and the vectors; `--check` names the stale ones. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withFigures } from '../bench/figures.ts'
import { reportFiles } from '../bench/report.ts'
import { accuracyPage, selftest } from '../src/cli/selftest.ts'
import { generatedFiles } from '../src/derive/generated.ts'
import { keptRows } from '../test/numerics/sweep/results.ts'

const rows = selftest()
for (const { failures, file } of rows)
  for (const failure of failures) {
    console.error(`${file}: the case ${failure} is out of tolerance`)
    process.exitCode = 1
  }

const root = join(import.meta.dirname, '..')
const files = [
  ...generatedFiles().map(({ path, text }) => ({
    path,
    text: path === 'README.md' ? withFigures(text) : text,
  })),
  ...reportFiles(),
  { path: 'docs/accuracy.md', text: accuracyPage(rows, keptRows()) },
]
const stale = files.filter(({ path, text }) => current(path) !== text)

if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} is stale; run: npm run generate`)
  if (stale.length > 0) process.exitCode = 1
} else {
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
}

function current(path: string): string | undefined {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
