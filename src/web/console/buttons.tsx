/** Buttons by their weight, a link that looks like one, a line that says what happens, and the result of a form. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface ButtonProps {
  onClick(): void
  readonly children: ComponentChildren
}

const buttonOf =
  (style?: string) =>
  ({ onClick, children }: ButtonProps) => (
    <button type="button" class={style} onClick={onClick}>
      {children}
    </button>
  )

export const Button = buttonOf()
export const QuietButton = buttonOf('quiet')
export const SmallButton = buttonOf('small quiet')
/** Looks like a link, and changes only the page. */
export const TextButton = buttonOf('link')

interface LinkProps {
  readonly href: string
  readonly children: ComponentChildren
}

export const LinkButton = ({ href, children }: LinkProps) => (
  <a class="button" href={href}>
    {children}
  </a>
)

/** A screen reader says it when it changes. */
export const Status = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="hint" role="status">
    {children}
  </p>
)

interface CalloutProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** The result of a form, in its place or above it. Has the focus at first, which brings it into sight. A screen reader then says `title`, but not the secrets in it. */
export function Callout({ title, children }: CalloutProps) {
  const callout = useRef<HTMLDivElement>(null)
  useEffect(() => callout.current?.focus(), [])
  return (
    <div class="callout" role="group" aria-label={title} tabindex={-1} ref={callout}>
      {children}
    </div>
  )
}
