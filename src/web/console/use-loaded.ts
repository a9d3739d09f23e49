/** The value of a promise. */
// @ts-nocheck: to be converted

/** The value of the promise of `load()`, null until it resolves. Loads again when `inputs` change. */
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

import { useEffect, useState } from 'preact/hooks'
