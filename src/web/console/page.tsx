/** The parts that the pages by the address after # have in common. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export const useHash = (): string => useVisit().hash

/** The address after #, and the number of the visit: a page may replace its address, to which a link then leads anew. */
export function useVisit() {
  const [visit, setVisit] = useState({ hash: location.hash || '#/', number: 0 })
  useLayoutEffect(() => {
    const listen = () => setVisit(({ number }) => ({ hash: location.hash || '#/', number: number + 1 }))
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])
  return visit
}

/** The `ref` of the element <main>, which gets the focus when another page is shown. */
export function useFocusedMain(page: number | string) {
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [page])
  return main
}

/**
 * The `ref` of an element whose parts replace each other as `states` change. Where the part that had the focus is removed, the first
 * required field that is empty has it, else the element itself, which needs a tabindex of -1.
 */
export function useKeptFocus<Element extends HTMLElement>(...states: readonly unknown[]) {
  const element = useRef<Element>(null)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    const isLost = !isFirst.current && document.activeElement === document.body
    isFirst.current = false
    if (isLost && element.current) (nextField(element.current) ?? element.current).focus()
  }, states)
  return element
}

/** The first required field that is empty. */
export const nextField = (element: Element): HTMLInputElement | undefined =>
  [...element.querySelectorAll<HTMLInputElement>('[aria-required]')].find(
    (field) => field.value === '' && field.checkVisibility(),
  )

/** Names the window by the heading of the page whenever the heading changes; `site`: the name without a heading. */
export function useTitle(main: RefObject<HTMLElement | null>, site: string): void {
  useLayoutEffect(() => {
    const element = main.current!
    const rename = () => {
      const heading = element.querySelector('h1')
      document.title = heading === null ? site : `${heading.textContent.trim()} · ${site}`
    }
    rename()
    const observer = new MutationObserver(rename)
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
}

/** Said at once, also on pages that need nothing of the service. */
export function Offline() {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useLayoutEffect(() => {
    const listen = () => setOnline(navigator.onLine)
    addEventListener('online', listen)
    addEventListener('offline', listen)
    return () => {
      removeEventListener('online', listen)
      removeEventListener('offline', listen)
    }
  }, [])
  return (
    <p class="offline" role="status">
      {!isOnline &&
        'This computer is offline. Previews and pictures work; answers, accounts and the reference need the connection.'}
    </p>
  )
}

export const SkipLink = ({ main }: { readonly main: RefObject<HTMLElement | null> }) => (
  // biome-ignore lint/a11y/useValidAnchor: a link to a place of the page; the address after # is that of the page
  <a
    class="skip"
    href="#main"
    onClick={(event) => {
      event.preventDefault()
      main.current?.focus()
    }}
  >
    Skip to content
  </a>
)
