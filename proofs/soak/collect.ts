/** Loaded into a watched node: collects garbage every few seconds, so that its memory shows what it holds on to. */

const EVERY_MS = 4_000

setInterval(
  () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  EVERY_MS,
).unref()
