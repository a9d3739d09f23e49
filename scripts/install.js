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
  if (hasAll(locked, found, wanted)) return

  const development = Object.keys(found).some((path) => locked[path]?.dev)
  const set = development ? 'all' : wanted
  console.error(`Installing missing packages (${set}) …`)
  replaceModules(root, set)
}

/**
 * The Node that runs a checkout: the running one, or where that is too old the pinned one, which the first start fetches.
 * undefined: there is none for this system.
 * @param {string} root
 * @param {'production' | 'all'} wanted
 * @returns {string | undefined} its path
 */
export function nodeFor(root, wanted) {
  // An install of packages would delete a Node that is one of them, as it was in earlier versions.
  const isReplaced = process.execPath.startsWith(join(root, 'node_modules'))
  if (runningNodeServes(wanted) && !isReplaced) return process.execPath

  const source = join(root, 'scripts', 'node')
  const path = `node_modules/node-${process.platform}-${process.arch}`
  const version = packagesIn(join(source, 'package-lock.json'))?.[path]?.version
  if (version === undefined) return undefined
  const folder = join(root, 'build', 'node')
  const node = join(folder, path, 'bin', 'node')
  const found = packagesIn(join(folder, 'node_modules', '.package-lock.json'))?.[path]?.version
  if (found === version && existsSync(node)) return node

  console.error(`This is Node ${process.versions.node}: fetching Node ${version} once, into ${folder} …`)
  mkdirSync(folder, { recursive: true })
  copySettings(source, folder)
  replaceModules(folder, 'production')
  // It exists for some systems only, so npm does without it if it cannot be fetched.
  if (!existsSync(node)) throw new Error(`Node ${version} could not be fetched`)
  return node
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
  const build = join(root, 'build')
  mkdirSync(build, { recursive: true })
  removeAbandoned(build)
  const folder = join(build, `install-${process.pid}`)
  mkdirSync(folder)
  try {
    copySettings(root, folder)
    npmCi(root, folder, set)
    const modules = join(root, 'node_modules')
    if (existsSync(modules)) renameSync(modules, join(folder, 'replaced'))
    renameSync(join(folder, 'node_modules'), modules)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function copySettings(from, to) {
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file))
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
