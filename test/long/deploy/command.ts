/** Runs the commands that the tests of deploy/ need, and names the Debian package of one that is missing. */
import assert from 'node:assert/strict'
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { installTools } from '../../../scripts/tools.ts'

export const root = resolve(import.meta.dirname, '../../..')

/** Time limit of one command; most take seconds. */
const LIMIT_MS = 450_000

export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end, whatever its exit code. */
export function attempt(file: string, args: readonly string[], options: SpawnSyncOptions = {}): Finished {
  const { error, status, stdout, stderr } = spawnSync(file, args, {
    cwd: root,
    timeout: LIMIT_MS,
    maxBuffer: 256 * 1_024 * 1_024,
    ...options,
    encoding: 'utf8',
  })
  if (error) throw error
  return { status, stdout, stderr }
}

/** Runs a command that must exit with 0; returns its standard output. */
export function command(file: string, args: readonly string[], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr } = attempt(file, args, options)
  assert.equal(status, 0, `${file} ${args.join(' ')} exited with ${status}:\n${stdout}${stderr}`)
  return stdout
}

const SYSTEM_PATH = `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin`

/** The path of a program of the system. Throws if the Debian package that holds it is not installed. */
export function program(name: string, debianPackage = name): string {
  const path = SYSTEM_PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
  if (path === undefined)
    throw new Error(`${name} is missing; install Debian's package ${debianPackage}, as .ci/run does`)
  return path
}

/** The environment of a user with a new home: the running Node first in PATH, and npm's way to its registry. */
export function newUser(home: string): NodeJS.ProcessEnv {
  // The npm of the system with its own settings, not those of the npm that runs these tests.
  const own = SYSTEM_PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const others = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const env = { ...Object.fromEntries(others), PATH: own.join(delimiter) }
  const settings: Record<string, unknown> = JSON.parse(command('npm', ['config', 'ls', '--json'], { env }))
  const config = ['registry', 'cafile', 'proxy', 'https-proxy'].flatMap((name) =>
    typeof settings[name] === 'string' ? [[`npm_config_${name.replace('-', '_')}`, settings[name]]] : [],
  )
  return {
    HOME: home,
    PATH: [dirname(process.execPath), ...own].join(delimiter),
    npm_config_update_notifier: 'false',
    ...Object.fromEntries(config),
  }
}

/** A program of the packages in test/long/deploy/tools, which are installed first if they are not. */
export const tool = (name: string): string => toolPath(join('.bin', name))

/** A module of these packages. */
export const toolModule = (name: string) => createRequire(toolPath('package.json'))(name)

/** A file or folder of these packages. */
export const toolPath = (name: string): string => join(installTools('test/long/deploy/tools'), name)
