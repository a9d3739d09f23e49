/** The value of a promise. */
import { useEffect, useState } from './html.js'

/** null until the promise of `load()` resolves, and where it rejects; renewed with `inputs`. */
export function useLoaded(load, inputs = []) {
  const [value, setValue] = useState(null)
  useEffect(() => {
    let isCurrent = true
    load()?.then(
      (loaded) => isCurrent && setValue(() => loaded),
      () => isCurrent && setValue(null),
    )
    return () => {
      isCurrent = false
    }
  }, inputs)
  return value
}
