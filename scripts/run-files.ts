/**
 * Runs the test files in its arguments, one after another in this process. Each file is a suite named by its path, so that its
 * hooks apply to it alone.
 */
import { afterEach, describe } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import '../test/support/seed.ts'

// Without gc the service does not shrink its heap after each start; shrinking takes longer than the start itself.
globalThis.gc = undefined
/** The time that the process has to end by itself after the last file; a busy machine may need a while. */
const END_MS = { ofFailed: 1_000, ofPassed: 60_000 }
let hasFailed = false
// Keeps the process running: a test may wait for nothing but an unreferenced timer.
const running = setInterval(() => {}, 60_000)
// Files have no time limit: a busy machine may take long, and the parent process ends a run that reports nothing. The promise of
// `describe` resolves when the suite has ended.
for (const file of process.argv.slice(2))
  await describe(file, async () => {
    // The pause lets the parent process learn of the suite before it reads the output of the file.
    await setImmediate()
    afterEach((context) => {
      hasFailed ||= 'passed' in context && !context.passed
    })
    await import(file)
  })
clearInterval(running)
// A failed test may have left a service or a timer open, which would keep the process running.
const endMs = hasFailed ? END_MS.ofFailed : END_MS.ofPassed
setTimeout(() => {
  console.error(
    `The process did not end by itself; still open: ${process.getActiveResourcesInfo().join(', ')}`,
  )
  process.exit(1)
}, endMs).unref()
