/** Compares values with the types that a package publishes: the compiler then names misspelt fields too. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, root, toolPath } from './command.ts'

const OPTIONS = [
  ...['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext'],
  ...['--moduleResolution', 'bundler', '--target', 'esnext', '--types', ''],
]

/** @param source TypeScript that imports packages of test/long/deploy/tools; returns the errors of the compiler */
export function typeErrors(source: string): string {
  const folder = toolPath('../checked')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'checked.ts')
  writeFileSync(file, source)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return attempt(process.execPath, [tsc, ...OPTIONS, file], { cwd: folder }).stdout
}
