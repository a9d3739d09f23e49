/**
 * Runs the test files that are its arguments, one after another in this process; each is a suite with its path as name, so
 * that its hooks hold for it alone.
 */
import { describe } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import '../test/support/seed.ts'

// The service shrinks its heap after its start where it can, which takes longer than the start itself.
globalThis.gc = undefined
// A test may wait for nothing but a timer that does not keep the process running.
const running = setInterval(() => {}, 60_000)
// No limit of time: a busy machine may take any for a file, and the parent process ends one that reports nothing. The promise of `describe` resolves when the suite has ended.
for (const file of process.argv.slice(2))
  await describe(file, async () => {
    // The parent process learns that the suite begins before it reads the output of the file.
    await setImmediate()
    await import(file)
  })
clearInterval(running)
