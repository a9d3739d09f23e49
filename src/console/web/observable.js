/** A state outside the views, which render again when it has changed. */
import { useLayoutEffect, useState } from './html.js'

/** `notify()`: the state has changed; a view that calls `useChanges()` renders again then. */
export function observable() {
  const listeners = new Set()
  return {
    notify() {
      for (const listener of listeners) listener()
    },
    useChanges() {
      const [, renew] = useState(0)
      useLayoutEffect(() => {
        const listener = () => renew((count) => count + 1)
        listeners.add(listener)
        return () => listeners.delete(listener)
      }, [])
    },
  }
}
