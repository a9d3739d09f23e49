/** Releases memory that the process needed only to start. */

/**
 * Loading a thousand modules grows V8's young generation to its full size and fills the old one with garbage. An idle
 * service would keep both, a quarter of its resident set, because V8 collects only on allocation. Takes about 60 ms.
 * Does nothing without Node's --expose-gc, which scripts/run-node.js sets.
 */
export function shrinkHeap(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
