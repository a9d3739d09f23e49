/** The value of a generator that runs for a few milliseconds of each frame, so that the page stays responsive. */
// @ts-nocheck: to be converted

/** The time in each frame for all generators of the page together. */
const MOST_MS = 6
const FRAME_MS = 16
let began = Number.NEGATIVE_INFINITY

/**
 * `{ value, isEarlier }`: the value of the generator `make()` for these inputs; until it has ended, that of earlier ones, or null.
 * A generator that has begun is finished before the latest begins, so that pictures follow inputs that change in each frame.
 */
export function useSteps(make, inputs) {
  const wanted = useMemo(() => ({ make, steps: null, value: null, isDone: false }), inputs)
  const own = useRef({ running: null, done: null, frame: 0 })
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
function go(current, latest) {
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

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
