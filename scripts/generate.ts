/** Writes the files that are derived from the declarations; with `--check` only says which are stale. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from '../src/derive/generated.ts'

const root = join(import.meta.dirname, '..')
const stale = generatedFiles().filter(({ path, text }) => current(path) !== text)

if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} is stale; run: npm run generate`)
  process.exitCode = stale.length > 0 ? 1 : 0
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
