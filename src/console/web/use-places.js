/** The pages of a list that is read by cursors. */
import { useRef, useState } from './html.js'

/**
 * → `{ places, turn, restart }`: `places` are the cursors of the pages up to the present one, of which the first has none.
 * `turn(shown, next)` turns away from what is shown once: until the next page has come, it has the cursor of the one before.
 * `restart(shown)` goes to the first page.
 */
export function usePlaces() {
  const [places, setPlaces] = useState([null])
  const turnedFrom = useRef(null)
  const go = (shown, next) => {
    turnedFrom.current = shown
    setPlaces(next)
  }
  return {
    places,
    turn: (shown, next) => turnedFrom.current !== shown && go(shown, next),
    restart: (shown) => go(shown, [null]),
  }
}
