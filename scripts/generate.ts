/** Writes the generated files. With `--check` it names those that are out of date instead. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { catalogueList } from './catalogue-list.ts'
import { consoleOperations } from './console-operations.ts'

const root = join(import.meta.dirname, '..')

settle([catalogueList(), ...consoleOperations()])
// The other files are made from the operations of this list, so their generators are loaded after it is written.
const { derivedFiles, faults } = await import('./derived-files.ts')
settle(derivedFiles)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1

function settle(files: readonly { readonly path: string; readonly text: string }[]): void {
  for (const { path, text } of files.filter(({ path, text }) => current(path) !== text))
    if (process.argv.includes('--check')) {
      console.error(`${path} is stale; run: npm run generate`)
      process.exitCode = 1
    } else {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
      console.log(`wrote ${path}`)
    }
}

function current(path: string): string | undefined {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
