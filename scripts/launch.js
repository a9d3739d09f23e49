/** Runs a TypeScript file of this package under Node 24, installing what is missing first. */
import { spawn } from 'node:child_process'
import { availableParallelism, constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, pinnedNode, runningNodeServes } from './install.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** What Node compiles is kept for the next start, which is then quicker and takes less memory. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') }

/**
 * SIGUSR1 opens no inspector: whoever reaches one reads the master key out of the memory.
 * The defaults of V8 suit a program that has the machine to itself; each of these was measured (docs/performance.md).
 * In turn:
 * - the service lets go of what its start has left in memory (src/main/heap.ts),
 * - and yet has a young generation of full size from the first call on;
 * - 128 MB in use before the old generation is looked through: a body of megabytes on its way to a worker thread would
 *   have that done each time, while others wait;
 * - fewer threads that collect garbage for the worker threads than there are cores: they take turns with the thread that
 *   answers.
 */
export const nodeFlags = [
  '--disable-sigusr1',
  '--expose-gc',
  '--min-semi-space-size=16',
  '--initial-old-space-size=128',
  `--v8-pool-size=${Math.max(1, Math.min(4, availableParallelism() - 1))}`,
]

/**
 * Signals, standard streams and the exit code pass through; the working folder stays the caller's.
 * @param {'production' | 'all'} wanted packages the file needs
 * @param {string} file relative to the package's root
 * @param {string[]} args
 */
export function launch(wanted, file, args) {
  try {
    install(root, wanted)
  } catch (error) {
    return fail(error.message)
  }
  const node = pinnedNode(root) ?? (runningNodeServes() ? process.execPath : undefined)
  if (!node) return fail(needed())
  start(node, [...nodeFlags, join(root, file), ...args])
}

function start(node, argv) {
  const child = spawn(node, argv, { stdio: 'inherit', env: { ...compileCache, ...process.env } })
  // A Ctrl-C reaches the child from the terminal already: passing it on would make it two.
  const passed = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT']
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => passed.includes(signal) && child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
  child.on('error', (error) => {
    // A pinned Node made for another C library is there but does not start.
    if (node === process.execPath || !runningNodeServes()) return fail(`${needed()} (${error.message})`)
    start(process.execPath, argv)
  })
}

const needed = () =>
  `Node 24 or newer is needed on ${process.platform}-${process.arch}; this is Node ${process.versions.node}. Install it and start again.`

function fail(message) {
  console.error(`quantd: ${message}`)
  process.exitCode = 1
}
