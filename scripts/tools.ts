/** Installs the checkers that the long tests use, in folders of their own, apart from the packages of the project. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { install } from './install.js'

const root = resolve(import.meta.dirname, '..')

/** The folder into which each set of checkers is installed, outside the folders that the project's own checks read. */
const SETS = {
  'test/long/deploy/tools': 'build/tools',
  'test/long/tools': 'build/long-tools',
} as const

/** A folder with the package.json, lock file and settings of npm for a set of checkers. */
export type Tools = keyof typeof SETS

/** Installs a set, if it is not installed. Returns its folder node_modules. */
export function installTools(tools: Tools): string {
  const folder = join(root, SETS[tools])
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(root, tools, file), join(folder, file))
  install(folder, 'production')
  return join(folder, 'node_modules')
}
