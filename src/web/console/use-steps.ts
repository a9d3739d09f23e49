/** The value of a generator that runs for a few milliseconds of each frame, so that the page stays responsive. */
import { type Inputs, useEffect, useMemo, useRef, useState } from 'preact/hooks'

/** The time in each frame for all generators of the page together. */
const MOST_MS = 6
const FRAME_MS = 16
let began = Number.NEGATIVE_INFINITY

interface Task<Value> {
  readonly make: () => Iterator<unknown, Value>
  steps: Iterator<unknown, Value> | null
  value: Value | null
  isDone: boolean
}

interface Progress<Value> {
  running: Task<Value> | null
  done: Task<Value> | null
  /** The number of the requested frame, or 0. */
  frame: number
}

interface Computed<Value> {
  /** Until the generator has ended, that of earlier inputs, or null. */
  readonly value: Value | null
  readonly isEarlier: boolean
}

/**
 * The value of the generator `make()` for these inputs. A generator that has begun is finished before the latest begins, so that
 * pictures follow inputs that change in each frame.
 */
export function useSteps<Value>(make: () => Iterator<unknown, Value>, inputs: Inputs): Computed<Value> {
  const wanted = useMemo((): Task<Value> => ({ make, steps: null, value: null, isDone: false }), inputs)
  const own = useRef<Progress<Value>>({ running: null, done: null, frame: 0 })
  const [, renew] = useState(0)
  const latest = useRef(wanted)
  latest.current = wanted
  own.current.running ??= wanted.isDone ? null : wanted
  go(own.current, latest)
  useEffect(() => {
    const { current } = own
    if (current.frame !== 0 || current.running === null) return
    const frame = () => {
      const before = current.done
      go(current, latest)
      current.frame = current.running === null ? 0 : requestAnimationFrame(frame)
      if (current.done !== before) renew((count) => count + 1)
    }
    current.frame = requestAnimationFrame(frame)
  })
  useEffect(() => () => cancelAnimationFrame(own.current.frame), [])
  return { value: own.current.done?.value ?? null, isEarlier: own.current.done !== wanted }
}

/** Runs the generator that has begun, then the latest, while there is time. */
function go<Value>(current: Progress<Value>, latest: { readonly current: Task<Value> }): void {
  const now = performance.now()
  if (now - began > FRAME_MS) began = now
  while (current.running !== null && performance.now() - began < MOST_MS) {
    const { running } = current
    running.steps ??= running.make()
    const { done, value } = running.steps.next()
    if (!done) continue
    Object.assign(running, { value, isDone: true, steps: null })
    current.done = running
    current.running = latest.current.isDone ? null : latest.current
  }
}
