/** Runs what `npm test` leaves out, one npm script after another: `npm run test:all`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Counts, total, verdict } from './outcome.ts'
import { OTHER_SCRIPTS, type Script } from './test-files.ts'

const RUN = resolve(import.meta.dirname, 'run.js')
/** A script has this time to end after SIGTERM, and its output to arrive after its end. */
const END_MS = 60_000
const OUTPUT_MS = 1_000
const SHOWN_LINES = 80

interface Ran extends Counts {
  /** The script, its counts, its time, and why it failed if no test says so. */
  readonly line: string
  readonly output: string
  readonly isBroken: boolean
}

const ran: Ran[] = []
for (const script of OTHER_SCRIPTS) ran.push(await run(script))
for (const { line, output } of ran.filter(({ isBroken }) => isBroken))
  console.log(`\nFAILED: ${line}\n${failuresIn(output)}`)
console.log(`\n${ran.map(({ line }) => line).join('\n')}`)
console.log(verdict(total(ran)))
process.exitCode = ran.some(({ isBroken }) => isBroken) ? 1 : 0

/** Runs a script for at most its minutes, and shows its output. A script that prints no counts is one test. */
async function run({ args, minutes }: Script): Promise<Ran> {
  const name = `npm run ${args[0]}${args.length > 1 ? ` -- ${args.slice(1).join(' ')}` : ''}`
  console.log(name)
  const started = performance.now()
  // A process group of its own, so that nothing is left of a script that is ended.
  const child = spawn(process.execPath, [RUN, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = (signal: NodeJS.Signals) => process.kill(-child.pid!, signal)
  const interrupt = () => {
    end('SIGTERM')
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  const times = [
    setTimeout(() => end('SIGTERM'), minutes * 60_000),
    setTimeout(() => end('SIGKILL'), minutes * 60_000 + END_MS),
  ]
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
      process.stdout.write(chunk)
    })
  const closed = once(child, 'close')
  const [code, signal] = await once(child, 'exit')
  times.forEach(clearTimeout)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  // A process that the script has left behind keeps the streams open.
  await Promise.race([closed, sleep(OUTPUT_MS, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()

  const seconds = (performance.now() - started) / 1000
  const reason =
    code === 0
      ? ''
      : seconds > minutes * 60
        ? `ended after ${minutes} minutes`
        : `exit code ${code ?? signal}`
  const counts = countsOf(output, reason === '')
  const line = `${name.padEnd(76)} ${verdict(counts).padEnd(24)} ${seconds.toFixed(0).padStart(5)} s  ${reason}`
  return { ...counts, line, output, isBroken: reason !== '' || counts.failed > 0 }
}

/** The counts of the last line with counts; a script that fails without a failed test is a failure. */
function countsOf(output: string, isFine: boolean): Counts {
  const last = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1)
  const [passed, failed, skipped] = last?.slice(1).map((count = '0') => Number(count)) ?? [0, 0, 0]
  if (!isFine && failed === 0) return { passed, failed: 1, skipped }
  return last ? { passed, failed, skipped } : { passed: 1, failed: 0, skipped }
}

/** The failures in an output, from the first on, or its end. */
function failuresIn(output: string): string {
  const lines = output.split('\n')
  const first = lines.findIndex((line) => line.startsWith('✖'))
  return (first < 0 ? lines.slice(-SHOWN_LINES) : lines.slice(first, first + SHOWN_LINES)).join('\n')
}
