/** The result of a form, in the place of the form or above it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface CalloutProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** Has the focus at first, which brings it into sight. A screen reader then says `title`, but not the secrets in it. */
export function Callout({ title, children }: CalloutProps) {
  const callout = useRef<HTMLDivElement>(null)
  useEffect(() => callout.current?.focus(), [])
  return (
    <div class="callout" role="group" aria-label={title} tabindex={-1} ref={callout}>
      {children}
    </div>
  )
}
