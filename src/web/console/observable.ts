/** A state outside the views that renders them again when it changes. */
import { useLayoutEffect, useState } from 'preact/hooks'

/** Every call of `notify()` renders the views again that call `useChanges()`. */
export function observable() {
  const listeners = new Set<() => void>()
  return {
    notify() {
      for (const listener of listeners) listener()
    },
    useChanges() {
      const [, renew] = useState(0)
      useLayoutEffect(() => {
        const listener = () => renew((count) => count + 1)
        listeners.add(listener)
        return () => {
          listeners.delete(listener)
        }
      }, [])
    },
  }
}
