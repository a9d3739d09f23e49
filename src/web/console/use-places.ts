/** The pages of a list that is read by cursors. */
import { useRef, useState } from 'preact/hooks'

type Places = readonly (string | null)[]

/**
 * → `{ places, turn, restart }`. `places`: the cursors of the pages up to the present one; that of the first is null.
 * `turn(shown, next)` sets the places to `next`, once for each reply `shown`: until the next reply has arrived, the reply that is
 * shown has the cursor of the page before. `restart(shown)` returns to the first page.
 */
export function usePlaces() {
  const [places, setPlaces] = useState<Places>([null])
  const turnedFrom = useRef<unknown>(null)
  const go = (shown: unknown, next: Places) => {
    turnedFrom.current = shown
    setPlaces(next)
  }
  return {
    places,
    turn: (shown: unknown, next: Places) => turnedFrom.current !== shown && go(shown, next),
    restart: (shown: unknown) => go(shown, [null]),
  }
}
