/** Waits for conditions instead of times, so that a slow machine makes a test slower but not fail. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 120_000
const PAUSE_MS = 20

/** @param what completes the sentence "waited in vain until …" */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `waited in vain until ${what}`)
    await sleep(PAUSE_MS)
  }
}
