/** The records about the account: saved as a file, and deleted. */
import { useState } from 'preact/hooks'
import type { UserExportData } from '../../../../clients/typescript/types.ts'
import type { DescribedField } from '../field.tsx'
import { whole } from '../numbers.ts'
import { useKeptFocus } from '../page.tsx'
import { Problem } from '../problem.tsx'
import type { Refusal, Reply } from '../replies.ts'
import { saveText } from '../save.ts'
import { hold, send } from '../session.ts'
import { password } from './account-fields.ts'
import { AccountForm } from './account-form.tsx'

export function Privacy({ factor }: { readonly factor: readonly DescribedField[] }) {
  const [isAsking, setAsking] = useState(false)
  const card = useKeptFocus(isAsking)
  const leave = () => {
    hold(null)
    location.hash = '#/'
  }
  return (
    <section class="card" tabindex={-1} ref={card}>
      <h2>Your data</h2>
      <p>The account, its keys without their secrets, credits, events and history, as JSON.</p>
      <Export />
      {!isAsking && (
        <p class="actions">
          <button type="button" class="small quiet" onClick={() => setAsking(true)}>
            Delete the account …
          </button>
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
            onDone={leave}
          />
          <p class="hint">
            <button type="button" class="link" onClick={() => setAsking(false)}>
              Keep the account
            </button>
          </p>
        </div>
      )}
    </section>
  )
}

function Export() {
  const [count, setCount] = useState<number | null>(null)
  const [problem, setProblem] = useState<Refusal | null>(null)
  const save = async () => {
    if (count !== null) return
    const records: UserExportData['records'] = []
    setProblem(null)
    for (let cursor: string | null = null; ; ) {
      setCount(records.length)
      const reply: Reply<UserExportData> = await send(
        `/user/export${cursor === null ? '' : `?cursor=${cursor}`}`,
      )
      if (!reply.success) {
        setProblem(reply)
        break
      }
      records.push(...reply.data.records)
      cursor = reply.data.next_cursor
      if (cursor !== null) continue
      saveText(JSON.stringify(records, null, 1), 'quantd-account.json', 'application/json')
      break
    }
    setCount(null)
  }
  return (
    <>
      <p class="actions">
        <button type="button" class="quiet" onClick={save}>
          {count === null ? 'Download' : `${whole(count)} records …`}
        </button>
      </p>
      {problem !== null && <Problem reply={problem} left={[]} onRetry={save} />}
    </>
  )
}
