/** Installs missing packages, if there are any. Plain JavaScript without dependencies, for any Node ≥ 20. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runningNodeServes } from './run-node.js'

/**
 * Makes node_modules match package-lock.json, using only the package registry. npm keeps a list of the installed packages in
 * node_modules, which it writes when an install is complete: a usual start compares two files and does not run npm.
 * Development packages that are already installed are installed again.
 * @param {string} root folder of package.json
 * @param {'production' | 'all'} wanted
 */
export function install(root, wanted) {
  const locked = packagesIn(join(root, 'package-lock.json'))
  const found = packagesIn(join(root, 'node_modules', '.package-lock.json')) ?? {}
  if (nodeThere(root, locked) && hasAll(locked, found, wanted)) return

  const development = Object.keys(found).some((path) => locked[path]?.dev)
  replaceModules(root, development ? 'all' : wanted)
}

/**
 * Path of the Node in the pinned package, or undefined if there is none for this system. npm 10 makes no link to it in
 * node_modules/.bin.
 */
export function pinnedNode(root) {
  const path = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  return existsSync(path) ? path : undefined
}

/** Whether a Node that can run the service is present: the running one, or the pinned one, which npm may omit as optional. */
function nodeThere(root, locked) {
  const pinnable = `node_modules/node-${process.platform}-${process.arch}` in locked
  return runningNodeServes() || !pinnable || pinnedNode(root) !== undefined
}

/** Whether every package of the lock file is installed in its version. An optional package may be absent, for another system. */
function hasAll(locked, found, wanted) {
  return Object.entries(locked).every(([path, { version, dev, optional }]) => {
    if (path === '' || (dev && wanted === 'production')) return true
    return found[path] ? found[path].version === version : optional === true
  })
}

/**
 * Installs into a folder of its own and then exchanges node_modules. `npm ci` itself would delete the old packages first: a
 * service that runs from them would lose the modules that it has not yet loaded, and after a failed install nothing could start.
 */
function replaceModules(root, set) {
  console.error(`Installing missing packages (${set}) …`)
  const build = join(root, 'build')
  mkdirSync(build, { recursive: true })
  removeAbandoned(build)
  const folder = join(build, `install-${process.pid}`)
  mkdirSync(folder)
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      if (existsSync(join(root, file))) copyFileSync(join(root, file), join(folder, file))
    npmCi(root, folder, set)
    const modules = join(root, 'node_modules')
    if (existsSync(modules)) renameSync(modules, join(folder, 'replaced'))
    renameSync(join(folder, 'node_modules'), modules)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Removes what killed installs have left behind. */
function removeAbandoned(build) {
  for (const name of readdirSync(build)) {
    const pid = /^install-(\d+)$/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(build, name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Runs `npm ci`, which installs exactly the versions and hashes of the lock file. Install scripts are ignored: no package needs
 * one, and npm would recompile prebuilt packages with downloaded headers.
 */
function npmCi(root, folder, set) {
  // npm must not run on the Node that it may replace.
  const modules = join(root, 'node_modules')
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.startsWith(modules))
  const which = [set === 'all' ? '--include=dev' : '--omit=dev', '--include=optional']
  const { status, error } = spawnSync(
    'npm',
    ['ci', ...which, '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'],
    {
      cwd: folder,
      env: { ...process.env, PATH: path.join(delimiter) },
      // Standard output belongs to the command that runs afterwards.
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  )
  if (error) throw new Error(`npm could not be run (${error.message}); install Node together with npm`)
  if (status !== 0) throw new Error('the installation failed; the lines above say why')
}

function packagesIn(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages
  } catch {
    return undefined
  }
}
