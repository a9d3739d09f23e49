/** The outcome of an act: what was done, with its secrets and a button that undoes it, or why the act waits. */
import { useRef, useState } from 'preact/hooks'
import type { ActForm as DeclaredForm } from '../../derive/forms.ts'
import { Button, Callout, QuietButton } from '../console/buttons.tsx'
import { CopyButton } from '../console/copy.tsx'
import { capitalised } from '../console/labels.ts'
import type { Reply } from '../console/replies.ts'
import type { ActValues } from './command.ts'
import { inWords, Problem, Sentence } from './parts.tsx'
import { send } from './service.ts'

/** The data of an act, each value by its name. */
export type ActData = Readonly<Record<string, unknown>>

interface DoneProps {
  readonly act: DeclaredForm
  readonly data: ActData
  /** What was done, in a sentence. */
  readonly message: string
  /** Absent: nothing undoes the act. */
  readonly undo?: Undo | undefined
  onClose(): void
}

/** A request that undoes an act. */
interface Undo {
  readonly path: string
  readonly body: ActValues
}

/** Secrets are shown this once; lists are what a check has found. */
export function Done({ act, data, message, undo, onClose }: DoneProps) {
  const secrets = secretsOf(act, data)
  const lists = Object.entries(data).flatMap(([name, value]): [string, object[]][] =>
    Array.isArray(value) && typeof value[0] === 'object' ? [[name, value]] : [],
  )
  const warning = secrets.length > 0 ? 'Copy this now; it is not shown again.' : ''
  return (
    <Callout title={`${message} ${warning}`.trim()}>
      <p>
        <strong>
          <Sentence text={message} />
        </strong>
      </p>
      {warning && <p>{warning}</p>}
      {secrets.map(([name, value]) => (
        <p class="key">
          {capitalised(name.replaceAll('_', ' '))}: <code>{value}</code>{' '}
          <CopyButton text={() => value} name={`Copy the ${name.replaceAll('_', ' ')}`} />
        </p>
      ))}
      {lists.map(([name, items]) => (
        <>
          <p>
            <strong>{capitalised(name.replaceAll('_', ' '))}</strong>
          </p>
          <ul class="told">
            {items.map((item) => (
              <li>{inWords(item)}</li>
            ))}
          </ul>
        </>
      ))}
      <Ways undo={undo} onClose={onClose} />
    </Callout>
  )
}

/** The buttons below what was done, and above them what followed from undoing it. */
function Ways({ undo, onClose }: Pick<DoneProps, 'undo' | 'onClose'>) {
  const [reply, setReply] = useState<Reply<ActData> | null>(null)
  const isSent = useRef(false)
  const sendUndo = async ({ body, path }: Undo) => {
    if (isSent.current) return
    isSent.current = true
    setReply(await send<ActData>(path.slice('/operator/'.length), body))
    isSent.current = false
  }
  const isTaken = reply?.success || reply?.status === 202
  return (
    <>
      {isTaken && (
        <p role="status">
          <Sentence text={`${reply.success ? 'Undone. ' : ''}${messageOf(reply)}`} />
        </p>
      )}
      {reply !== null && !isTaken && <Problem reply={reply} />}
      <p class="actions">
        <Button onClick={onClose}>Close</Button>
        {undo && !isTaken && <QuietButton onClick={() => sendUndo(undo)}>Undo</QuietButton>}
      </p>
    </>
  )
}

/** The sentence of a reply: what was done, or why it waits. */
export const messageOf = (reply: Reply<ActData>): string => ('message' in reply ? String(reply.message) : '')

/** The request in a reply that undoes the act. */
export const undoOf = (reply: Reply<ActData>): Undo | undefined =>
  'undo' in reply ? (reply.undo as Undo) : undefined

/** The act waits for a second person. */
export const Waits = ({ text, onClose }: { readonly text: string; onClose(): void }) => (
  <Callout title={`Not done yet. ${text}`}>
    <p>
      <strong>Not done yet.</strong> {text}
    </p>
    <p class="actions">
      <a href="#/approvals">Approvals</a> <Button onClick={onClose}>Close</Button>
    </p>
  </Callout>
)

/** The secrets in the data, of which an act may return a part. */
export const secretsOf = ({ secrets = [] }: DeclaredForm, data: ActData): [name: string, value: string][] =>
  secrets.flatMap((name): [string, string][] => {
    const value = data[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
