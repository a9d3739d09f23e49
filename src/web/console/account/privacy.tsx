/** The records about the account: saved as a file, and deleted, with the page that says so. */
import { useState } from 'preact/hooks'
import type { UserExportData } from '../../../../clients/typescript/types.ts'
import { LinkButton, QuietButton, SmallButton, TextButton } from '../buttons.tsx'
import { Field } from '../field.tsx'
import { useLoaded } from '../loaded.tsx'
import { whole } from '../numbers.ts'
import { useKeptFocus } from '../page.tsx'
import { Problem } from '../problem.tsx'
import type { Refusal, Reply } from '../replies.ts'
import { owner, removeOwnRuns } from '../runs/own-runs.ts'
import { saveText } from '../save.ts'
import { hold, send } from '../session.ts'
import { AccountForm, password, type WithFactor } from './account-form.tsx'

export const Privacy = ({ factor }: WithFactor) => (
  <section class="card">
    <h2>Your data</h2>
    <p>The account, its keys without their secrets, credits, events and history, as JSON.</p>
    <Export factor={factor} />
    <Deletion factor={factor} />
  </section>
)

function Deletion({ factor }: WithFactor) {
  const [isAsking, setAsking] = useState(false)
  // After the deletion, the service does not say whose the runs are.
  const ownedBy = useLoaded(owner, [])
  const deletion = useKeptFocus<HTMLDivElement>(isAsking)
  const leave = () => {
    hold(null)
    tellDeletion()
  }
  return (
    <div tabindex={-1} ref={deletion}>
      {!isAsking && (
        <p class="actions">
          <SmallButton onClick={() => setAsking(true)}>Delete the account …</SmallButton>
        </p>
      )}
      {isAsking && (
        <div class="problem">
          <p>
            <strong>Delete the account?</strong> Every key stops at once and the credits are lost. Names,
            addresses and devices are erased; calls and movements of credits stay without them. This cannot be
            undone.
          </p>
          <AccountForm
            path="/user/delete"
            action="Delete the account now"
            fields={[password, ...factor]}
            onDone={() => removeOwnRuns(ownedBy).then(leave)}
          />
          <p class="hint">
            <TextButton onClick={() => setAsking(false)}>Keep the account</TextButton>
          </p>
        </div>
      )}
    </div>
  )
}

function Export({ factor }: WithFactor) {
  const [code, setCode] = useState('')
  const [count, setCount] = useState<number | null>(null)
  const [problem, setProblem] = useState<Refusal | null>(null)
  const save = async () => {
    if (count !== null) return
    const records: UserExportData['records'] = []
    setProblem(null)
    let query: Record<string, string> = factor.length > 0 && code !== '' ? { mfa_code: code } : {}
    for (;;) {
      setCount(records.length)
      const reply: Reply<UserExportData> = await send(`/user/export?${new URLSearchParams(query)}`)
      if (!reply.success) {
        setProblem(reply)
        break
      }
      records.push(...reply.data.records)
      const { next_cursor: cursor } = reply.data
      if (cursor !== null) {
        query = { cursor }
        continue
      }
      saveText(JSON.stringify(records, null, 1), 'quantd-account.json', 'application/json')
      break
    }
    setCount(null)
  }
  return (
    <>
      {factor.map((described) => (
        <Field key={described.name} described={described} text={code} onText={setCode} />
      ))}
      <p class="actions">
        <QuietButton onClick={save}>{count === null ? 'Download' : `${whole(count)} records …`}</QuietButton>
      </p>
      {problem !== null && <Problem reply={problem} left={[]} onRetry={save} />}
    </>
  )
}

let isDeleted = false

/** Opens the page that says so. */
function tellDeletion(): void {
  isDeleted = true
  location.hash = '#/deleted'
}

/** Says that the account was deleted, after the page of the account has deleted it. */
export function Deleted() {
  return (
    <div class="narrow">
      <h1>{isDeleted ? 'The account was deleted' : 'No account was deleted here'}</h1>
      <section class="card">
        {isDeleted ? (
          <p role="status">
            Every key has stopped, the credits are gone, and names, addresses and devices are erased. The runs
            that this browser kept of the account are deleted too.
          </p>
        ) : (
          <p>This page has deleted no account since it was loaded.</p>
        )}
        <p class="actions">
          <LinkButton href="#/">To the start</LinkButton>
        </p>
      </section>
    </div>
  )
}
