/** Takes files that are dropped on a page. */
// @ts-nocheck: to be converted

/** Calls `take(file)` for a file that is dropped anywhere on the page, which it would otherwise replace. */
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

import { useLayoutEffect, useRef } from 'preact/hooks'
