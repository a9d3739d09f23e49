/** Waits for conditions instead of times, so that a slow machine makes a test slower but not fail. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 120_000
const PAUSE_MS = 20
/** The pause grows by this share of the time waited so far, because frequent checks slow down a busy machine. */
const PATIENT = 0.1

/** @param what completes the sentence "waited in vain until …" */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const begun = performance.now()
  while (!(await condition())) {
    const waited = performance.now() - begun
    assert.ok(waited < PATIENCE_MS, `waited in vain until ${what}`)
    await sleep(PAUSE_MS + Math.min(500, PATIENT * waited))
  }
}
