/** Starts Node with the options of the service. Plain JavaScript without dependencies, for any Node ≥ 20. */
import { spawn } from 'node:child_process'
import { availableParallelism, constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The oldest Node that runs the service, and the oldest that also runs the tests: its runner takes an environment. */
const OLDEST = { production: '24', all: '24.14' }

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The folder of compiled code, which makes the next start quicker and takes less memory. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') }

/**
 * disable-sigusr1: an inspector that SIGUSR1 opens would give read access to the master key.
 *
 * V8's defaults suit a program that is alone on its machine; each of these options was measured:
 * - expose-gc lets the service release the memory that its start has left behind (main/supervisor.ts);
 * - min-semi-space-size gives the young generation its full size from the first call on;
 * - initial-old-space-size starts a full collection only above 128 MB: otherwise each body of megabytes on its way to a
 *   worker thread would start one, while other requests wait;
 * - no-allocation-site-pretenuring keeps the objects of a request in the young generation. V8 may otherwise create them in
 *   the old one, where dead ones keep young objects alive until the next full collection: five of eight processes then
 *   took 1.4 times the processor time a call;
 * - max-inlined-bytecode-size, also the cumulative one, lets V8 put larger functions into the loops that call them: the loop over
 *   the rows of columns takes two thirds of the time;
 * - v8-pool-size leaves one core to the thread that answers requests: garbage collector threads would compete with it.
 */
export const nodeFlags = [
  '--disable-sigusr1',
  '--expose-gc',
  '--min-semi-space-size=16',
  '--initial-old-space-size=128',
  '--no-allocation-site-pretenuring',
  '--max-inlined-bytecode-size=1500',
  '--max-inlined-bytecode-size-cumulative=4000',
  `--v8-pool-size=${Math.max(1, Math.min(4, availableParallelism() - 1))}`,
]

/**
 * Whether the running Node can run the service, or also the tests.
 * @param {keyof OLDEST} wanted
 */
export function runningNodeServes(wanted = 'production') {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [oldest, since = 0] = OLDEST[wanted].split('.').map(Number)
  return major > oldest || (major === oldest && minor >= since)
}

/**
 * Runs a file under this Node. If the system can, it replaces the running process: the process id stays the one that a
 * supervisor knows, signals reach the service directly, and no second process takes memory.
 * @param {readonly string[]} argv the file and its arguments
 * @param {string} [name] the program's name for help and messages; it becomes its argv[0]
 */
export function runHere(argv, name = process.execPath) {
  if (!runningNodeServes()) return fail(needed())
  const options = [...nodeFlags, ...argv]
  const env = { ...compileCache, ...process.env }
  // Windows has no execve.
  if (process.execve) process.execve(process.execPath, [name, ...options], env)
  runChild(process.execPath, argv, name, (error) => fail(error.message))
}

/**
 * Runs a file under a Node. Signals, standard streams and the exit code pass through.
 * @param {string} node
 * @param {readonly string[]} argv the file and its arguments
 * @param {string | undefined} name becomes its argv[0]
 * @param {(error: Error) => void} onError called if the Node does not start
 */
export function runChild(node, argv, name, onError) {
  const child = spawn(node, [...nodeFlags, ...argv], {
    // The channel shows the service that this process waits for it (cli/serve.ts).
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...compileCache, ...process.env },
    ...(name && { argv0: name }),
  })
  // The terminal already sends Ctrl-C to the child; forwarding it would send it twice.
  const passed = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT']
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => passed.includes(signal) && child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
  child.on('error', onError)
}

/** Reports why nothing was started. */
export function fail(message) {
  console.error(`quantd: ${message}`)
  process.exitCode = 1
}

/** @param {keyof OLDEST} wanted */
export const needed = (wanted = 'production') =>
  `Node ${OLDEST[wanted]} or newer is needed on ${process.platform}-${process.arch}; this is Node ${process.versions.node}. Install it and start again.`
