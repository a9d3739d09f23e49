/** Takes files that are dropped on a page. */
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Calls `take(file)` for a file that is dropped anywhere on the page, which it would otherwise replace. */
export function useDrop(take: (file: File) => void): void {
  const latest = useRef(take)
  latest.current = take
  useLayoutEffect(() => {
    const over = (event: DragEvent) => event.preventDefault()
    const drop = (event: DragEvent) => {
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
