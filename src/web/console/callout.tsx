/** The result of a form, in the place of the form or above it. */
// @ts-nocheck: to be converted

/** Has the focus at first, which brings it into sight. A screen reader then says `title`, but not the secrets in it. */
export function Callout({ title, children }) {
  const callout = useRef(null)
  useEffect(() => callout.current.focus(), [])
  return (
    <div class="callout" role="group" aria-label={title} tabindex="-1" ref={callout}>
      {children}
    </div>
  )
}

import { useEffect, useRef } from 'preact/hooks'
