/** Runs a TypeScript file of this package under Node 24, installing what is missing first. */
import { spawn } from 'node:child_process'
import { availableParallelism, constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, pinnedNode, runningNodeServes } from './install.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Compiled code is kept for the next start, which is then quicker and takes less memory. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') }

/**
 * disable-sigusr1: an inspector that SIGUSR1 opens would give read access to the master key.
 *
 * V8's defaults suit a program that is alone on its machine; each of these options was measured (docs/performance.md):
 * - expose-gc lets the service release the memory that its start has left behind (src/main/heap.ts);
 * - min-semi-space-size gives the young generation its full size from the first call on;
 * - initial-old-space-size starts a full collection only above 128 MB: otherwise each body of megabytes on its way to a
 *   worker thread would start one, while other requests wait;
 * - v8-pool-size leaves one core to the thread that answers requests: garbage collector threads would compete with it.
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
 * @param {string} [name] the program's name for help and messages; it becomes its argv[0]
 */
export function launch(wanted, file, args, name) {
  try {
    install(root, wanted)
  } catch (error) {
    return fail(error.message)
  }
  const node = pinnedNode(root) ?? (runningNodeServes() ? process.execPath : undefined)
  if (!node) return fail(needed())
  start(node, [...nodeFlags, join(root, file), ...args], name)
}

function start(node, argv, name) {
  const child = spawn(node, argv, {
    stdio: 'inherit',
    env: { ...compileCache, ...process.env },
    ...(name && { argv0: name }),
  })
  // The terminal already sends Ctrl-C to the child; forwarding it would send it twice.
  const passed = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT']
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => passed.includes(signal) && child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
  child.on('error', (error) => {
    // A pinned Node built for another C library exists but does not start.
    if (node === process.execPath || !runningNodeServes()) return fail(`${needed()} (${error.message})`)
    start(process.execPath, argv, name)
  })
}

const needed = () =>
  `Node 24 or newer is needed on ${process.platform}-${process.arch}; this is Node ${process.versions.node}. Install it and start again.`

function fail(message) {
  console.error(`quantd: ${message}`)
  process.exitCode = 1
}
