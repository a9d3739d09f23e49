/** The result of a form, in the place of the form or above it. */
import { html, useEffect, useRef } from './html.js'

/** Has the focus at first, which brings it into sight. */
export function Callout({ children }) {
  const callout = useRef(null)
  useEffect(() => callout.current.focus(), [])
  return html`<div class="callout" role="status" tabindex="-1" ref=${callout}>${children}</div>`
}
