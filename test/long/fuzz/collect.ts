/** Loaded into the measured node: forces garbage collection every few seconds, so that its memory shows live objects. */

const EVERY_MS = 4_000

setInterval(
  () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  EVERY_MS,
).unref()
