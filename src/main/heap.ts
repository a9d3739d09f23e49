/** The memory that a start leaves behind. */

/**
 * Loading a thousand modules lets V8's young generation grow to its full size and the old one fill with what nothing
 * refers to any more. An idle service would keep both, a quarter of its resident set: V8 looks only when something is
 * allocated. Takes some 60 ms. Without Node's --expose-gc, which scripts/launch.js sets, nothing happens.
 */
export function shrinkHeap(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
