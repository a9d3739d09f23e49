/** Files that are dropped on a page. */
import { useLayoutEffect, useRef } from './html.js'

/** A file that is dropped beside its field would replace the page. */
export function useDrop(take) {
  const latest = useRef(take)
  latest.current = take
  useLayoutEffect(() => {
    const over = (event) => event.preventDefault()
    const drop = (event) => {
      const [file] = event.dataTransfer?.files ?? []
      if (file === undefined) return
      event.preventDefault()
      latest.current(file)
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [])
}
