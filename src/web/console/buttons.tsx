/** Buttons by their weight, a link that looks like one, and a line that says what happens. */
import type { ComponentChildren } from 'preact'

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
