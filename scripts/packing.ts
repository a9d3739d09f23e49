/** The steps that the builds of the npm packages share. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** The parsed content of a JSON file of the checkout. */
export const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** @param project the path of a tsconfig.json */
export function compile(project: string): void {
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project])
}

/** Makes the tarball of a folder in build/, and prints its name. */
export function pack(folder: string): void {
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', join(root, 'build'), folder]),
  )
  console.log(`build/${packed.filename} (${packed.entryCount} files, ${packed.size} bytes)`)
}

/** Runs a program in the checkout, and returns its output. */
export const run = (file: string, args: readonly string[]): string =>
  execFileSync(file, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
