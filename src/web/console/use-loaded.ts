/** The value of a promise. */
import { type Inputs, useEffect, useState } from 'preact/hooks'

/** The value of the promise of `load()`, null until it resolves, or while there is none. Loads again when `inputs` change. */
export function useLoaded<Value>(load: () => Promise<Value> | null, inputs: Inputs): Value | null {
  const [value, setValue] = useState<Value | null>(null)
  useEffect(() => {
    let isCurrent = true
    load()?.then((loaded) => isCurrent && setValue(() => loaded))
    return () => {
      isCurrent = false
    }
  }, inputs)
  return value
}

/** As useLoaded, with a function that loads again. */
export function useReloaded<Value>(
  load: () => Promise<Value> | null,
  inputs: Inputs,
): readonly [value: Value | null, again: () => void] {
  const [tries, setTries] = useState(0)
  return [useLoaded(load, [...inputs, tries]), () => setTries((count) => count + 1)]
}
