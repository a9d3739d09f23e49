/** Runs a TypeScript file of this checkout under Node ≥ 24, after installing missing packages. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, nodeFor } from './install.js'
import { fail, needed, runChild, runHere } from './run-node.js'

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
  let node
  try {
    node = nodeFor(root, wanted)
    if (node === undefined) return fail(needed(wanted))
    install(root, wanted)
  } catch (error) {
    return fail(error.message)
  }
  const argv = [join(root, file), ...args]
  if (node === process.execPath) return runHere(argv, name)
  // A Node built for another C library exists but does not start.
  runChild(node, argv, name, (error) => fail(`${needed(wanted)} (${error.message})`))
}
