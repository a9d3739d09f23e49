/** The pages of a list that is read by cursors. */
import { useRef, useState } from 'preact/hooks'

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
