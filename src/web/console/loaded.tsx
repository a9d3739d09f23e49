/** A view of the data of a reply. */
import type { ComponentChildren } from 'preact'
import type { Refusal, Reply } from './replies.ts'

interface LoadedProps<Data> {
  /** null: it has not arrived yet. */
  readonly reply: Reply<Data> | null
  children(data: Data): ComponentChildren
  /** The view of a failure. */
  problem(reply: Refusal): ComponentChildren
}

/** The children once the reply is a success, else its problem. */
export function Loaded<Data>({ reply, children, problem }: LoadedProps<Data>) {
  if (reply === null)
    return (
      <p class="hint" role="status">
        Loading …
      </p>
    )
  return <>{reply.success ? children(reply.data) : problem(reply)}</>
}
