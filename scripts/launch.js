/** Runs a TypeScript file of this checkout under Node 24, after installing missing packages. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, pinnedNode } from './install.js'
import { fail, needed, runChild, runHere, runningNodeServes } from './run-node.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs a file in the caller's working folder.
 * @param {'production' | 'all'} wanted the packages that the file needs
 * @param {string} file relative to the package's root
 * @param {string[]} args
 * @param {string} [name] the program's name for help and messages; it becomes its argv[0]
 */
export function launch(wanted, file, args, name) {
  // Like --disable-sigusr1, this prevents an inspector, which would show the master key in the environment of this process.
  process.on('SIGUSR1', () => undefined)
  try {
    install(root, wanted)
  } catch (error) {
    return fail(error.message)
  }
  const argv = [join(root, file), ...args]
  const node = pinnedNode(root)
  if (!node) return runHere(argv, name)
  runChild(node, argv, name, (error) => {
    // A pinned Node built for another C library exists but does not start.
    if (runningNodeServes()) runHere(argv, name)
    else fail(`${needed()} (${error.message})`)
  })
}
