/** The value of a promise. */
import { useEffect, useState } from './html.js'

/** null until the promise of `load()` resolves; renewed with `inputs`. */
export function useLoaded(load, inputs) {
  const [value, setValue] = useState(null)
  useEffect(() => {
    let isCurrent = true
    load()?.then((loaded) => isCurrent && setValue(() => loaded))
    return () => {
      isCurrent = false
    }
  }, inputs)
  return value
}
