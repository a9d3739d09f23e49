/** The data of a reply: their view, the progress until they are there, and hooks that load them, also page by page. */
import type { ComponentChildren } from 'preact'
import { type Inputs, useEffect, useRef, useState } from 'preact/hooks'
import { Status } from './buttons.tsx'
import type { TaskProgress } from './data/shapes.ts'
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
  if (reply === null) return <Status>Loading …</Status>
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

type Places = readonly (string | null)[]

interface PlacesInList {
  /** The cursors of the pages up to the present one; that of the first is null. */
  readonly places: Places
  /** Sets the places, once for each reply that is shown: until the next has arrived, it has the cursor of the page before. */
  turn(shown: unknown, next: Places): void
  /** Returns to the first page. */
  restart(shown: unknown): void
}

export function usePlaces(): PlacesInList {
  const [places, setPlaces] = useState<Places>([null])
  const turnedFrom = useRef<unknown>(null)
  const go = (shown: unknown, next: Places) => {
    turnedFrom.current = shown
    setPlaces(next)
  }
  return {
    places,
    turn: (shown, next) => turnedFrom.current !== shown && go(shown, next),
    restart: (shown) => go(shown, [null]),
  }
}

interface TurnsProps extends Pick<PlacesInList, 'places' | 'turn'> {
  /** What is shown: the reply, or its items. */
  readonly shown: unknown
  /** The cursor of the next page; null: this is the last one. */
  readonly next: string | null
  readonly labels?: readonly [string, string] | undefined
}

/** The buttons to the neighbours of a page, and its number. */
export function Turns({ places, turn, shown, next, labels = ['Newer', 'Older'] }: TurnsProps) {
  const button = (text: string, isOff: boolean, to: Places) => (
    <button
      type="button"
      class="small quiet"
      aria-disabled={isOff ? 'true' : undefined}
      onClick={() => !isOff && turn(shown, to)}
    >
      {text}
    </button>
  )
  return (
    <>
      {button(labels[0], places.length === 1, places.slice(0, -1))}
      <span class="hint">Page {places.length}</span>
      {button(labels[1], next === null, [...places, next])}
    </>
  )
}

export function Progress({ phase, share }: TaskProgress) {
  const percent = share === null ? null : Math.round(100 * share)
  return (
    <p class="progress">
      <span>
        <span role="status">{phase}</span>
        {percent === null ? ' …' : ` ${percent} %`}
      </span>
      <progress max="100" value={percent ?? undefined} aria-label={phase} />
    </p>
  )
}
