/** A state outside the views, which render again when it has changed. */
import { useLayoutEffect, useState } from './html.js'

/** `tell()` says that the state has changed; a view that calls `useTold()` renders again then. */
export function told() {
  const listeners = new Set()
  return {
    tell() {
      for (const listener of listeners) listener()
    },
    useTold() {
      const [, renew] = useState(0)
      useLayoutEffect(() => {
        const listener = () => renew((count) => count + 1)
        listeners.add(listener)
        return () => listeners.delete(listener)
      }, [])
    },
  }
}
