/** The data of a reply: their view, and hooks that load them. */
import type { ComponentChildren } from 'preact'
import { type Inputs, useEffect, useState } from 'preact/hooks'
import type { Refusal, Reply } from './replies.ts'

interface LoadedProps<Data> {
  /** null: it has not arrived yet. */
  readonly reply: Reply<Data> | null
  children(data: Data): ComponentChildren
  /** The view of a failure. */
  problem(reply: Refusal): ComponentChildren
}

/** The children once the reply is a success, else its problem. */
export function Loaded<Data>({ reply, children, problem }: LoadedProps<Data>) {
  if (reply === null)
    return (
      <p class="hint" role="status">
        Loading …
      </p>
    )
  return <>{reply.success ? children(reply.data) : problem(reply)}</>
}

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
