/** The drop zone: takes files that are dropped, and cells that are pasted, anywhere in the console. */
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Taker {
  file(file: File): void
  /** Takes cells; absent: the view below takes them. */
  text?(text: string): void
}

/** The views that take files, of which the last one rendered has the first word. */
const takers: { readonly current: Taker }[] = []

/** The class of the page while a file is held over it. */
const HELD = 'dropping'

/** While the view is shown, it takes what is dropped or pasted anywhere on the page, beside any field. */
export function useDrop(taker: Taker): void {
  const latest = useRef(taker)
  latest.current = taker
  useLayoutEffect(() => {
    if (!isListening) listen()
    takers.push(latest)
    return () => void takers.splice(takers.indexOf(latest), 1)
  }, [])
}

let isListening = false

/** The listeners stay: without a view that takes it, a file would replace the page. */
function listen(): void {
  isListening = true
  const hold = (isHeld: boolean) => document.documentElement.classList.toggle(HELD, isHeld)
  addEventListener('dragover', (event) => {
    event.preventDefault()
    hold(event.dataTransfer?.types.includes('Files') === true)
  })
  // A pointer that leaves the window enters nothing.
  addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && hold(false))
  addEventListener('drop', (event) => {
    hold(false)
    const [file] = event.dataTransfer?.files ?? []
    if (file === undefined) return
    event.preventDefault()
    takers.at(-1)?.current.file(file)
  })
  addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const [file] = event.clipboardData?.files ?? []
    const isInField = event.target instanceof Element && event.target.closest('input, textarea, select')
    const taker = takers.findLast(({ current }) => current.text !== undefined)?.current
    if (isInField || taker?.text === undefined || !(file !== undefined || /[\n\t]/.test(text))) return
    event.preventDefault()
    file === undefined ? taker.text(text) : taker.file(file)
  })
}
