/** What the pages by the address after # have in common. */
import { html, useEffect, useLayoutEffect, useRef, useState } from './html.js'

export function useHash() {
  const [hash, setHash] = useState(location.hash || '#/')
  useEffect(() => {
    const listen = () => setHash(location.hash || '#/')
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])
  return hash
}

/** The `ref` of the element <main>, which gets the focus when another page is shown. */
export function useFocusedMain(hash) {
  const main = useRef(null)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    scrollTo(0, 0)
    main.current.focus({ preventScroll: true })
  }, [hash])
  return main
}

export const SkipLink = ({ main }) =>
  html`<a class="skip" href="#main" onClick=${(event) => {
    event.preventDefault()
    main.current.focus()
  }}>Skip to content</a>`
