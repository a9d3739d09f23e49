/**
 * Runs the test files that are its arguments, one after another in this process; each is a suite with its path as name, so
 * that its hooks hold for it alone.
 */
import { afterEach, describe } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import '../test/support/seed.ts'

// The service shrinks its heap after its start where it can, which takes longer than the start itself.
globalThis.gc = undefined
/** After the last file. Without a failed test the process ends by itself, which may take a while on a busy machine. */
const END_MS = { ofFailed: 1_000, ofPassed: 60_000 }
let hasFailed = false
// A test may wait for nothing but a timer that does not keep the process running.
const running = setInterval(() => {}, 60_000)
// No limit of time: a busy machine may take any for a file, and the parent process ends one that reports nothing. The promise
// of `describe` resolves when the suite has ended.
for (const file of process.argv.slice(2))
  await describe(file, async () => {
    // The parent process learns that the suite begins before it reads the output of the file.
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
