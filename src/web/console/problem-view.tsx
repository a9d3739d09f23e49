/** A failure as pages show it: the message, the details, the next steps, and the request id by which the service's log names it. */
import type { ComponentChildren } from 'preact'
import type { Detail, Refusal } from './replies.ts'

interface ProblemViewProps {
  readonly reply: Refusal
  readonly title: ComponentChildren
  readonly text?: string | undefined
  readonly details: readonly Detail[]
  detail(one: Detail): ComponentChildren
  /** The next steps. */
  readonly children: ComponentChildren
}

export function ProblemView({ reply, title, text, details, detail, children }: ProblemViewProps) {
  const { error, status } = reply
  const id = error.request_id
  return (
    <div class="problem">
      <div role="alert">
        <p>
          <strong>{title}</strong>
        </p>
        {text && <p>{text}</p>}
        {details.length > 0 && (
          <ul>
            {details.map((one) => (
              <li>{detail(one)}</li>
            ))}
          </ul>
        )}
      </div>
      {children}
      <p class="hint">
        {[status || null, error.code, id && `request ${id}`].filter((part) => part).join(' · ')}
      </p>
    </div>
  )
}
