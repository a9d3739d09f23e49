/** Keeps the run whose answer is shown. */
import { useState } from 'preact/hooks'
import type { UserReceiptData } from '../../../../clients/typescript/types.ts'
import type { Form } from '../../../derive/forms.ts'
import { SmallButton } from '../buttons.tsx'
import { sourceOf } from '../journeys.ts'
import { bytes, short } from '../numbers.ts'
import type { Quantity } from '../operation.ts'
import { send } from '../session.ts'
import { dateText } from '../times.ts'
import type { Answering } from '../use-answer.ts'
import type { Run } from './kept-runs.ts'
import { loadRuns, owner } from './own-runs.ts'

interface KeepRunProps {
  readonly form: Form
  readonly answer: Answering
  readonly numbers: readonly Quantity[]
}

export function KeepRun({ form, answer, numbers }: KeepRunProps) {
  const [kept, setKept] = useState<{ readonly id: string; readonly fault: string | null } | null>(null)
  const { reply } = answer
  const id = reply?.standing.requestId ?? null
  const isKept = kept !== null && kept.id === id
  if (id === null) return null
  const keep = async () => {
    if (isKept && kept.fault === null) return
    const run = await runOf(form, answer, numbers)
    setKept({
      id,
      fault: run === null ? 'The service cannot be asked for the account.' : await faultOfKeeping(run),
    })
  }
  return (
    <p class="actions keep">
      {isKept && kept.fault === null ? (
        <span role="status">
          Kept in this browser. <a href="#/runs">Compare runs</a>
        </span>
      ) : (
        <SmallButton onClick={keep}>Keep this run</SmallButton>
      )}
      {isKept && kept.fault !== null && (
        <span class="failed" role="alert">
          {kept.fault} <a href="#/runs">Kept runs</a>
        </span>
      )}
    </p>
  )
}

/** The run of the answer; null: nobody is known to own it. */
async function runOf(
  form: Form,
  { reply, shown }: Answering,
  numbers: readonly Quantity[],
): Promise<Run | null> {
  const ownedBy = await owner()
  if (ownedBy === null || !reply?.success || reply.call === undefined || shown === null) return null
  const { call, blob, standing, text = '' } = reply
  const { creditsCost, date, requestId } = standing
  const receipt = await send<UserReceiptData>(`/user/receipt?request_id=${encodeURIComponent(requestId!)}`)
  const at = new Date(date ?? Date.now()).toISOString()
  const [first] = numbers
  const { file, beside } = call.entries.table
  const about = file === null ? first && `${first.label} ${short(first.value)}` : (beside ?? file).name
  return {
    id: requestId!,
    owner: ownedBy,
    name: `${form.title}, ${about ?? dateText(at)}`,
    path: form.path,
    at,
    keptAt: Date.now(),
    credits: creditsCost ?? 0,
    given: call.sent,
    source: sourceOf({ ...call.entries.table, mapping: call.mapping }),
    numbers,
    reply: blob ?? new Blob([text], { type: 'application/json' }),
    receipt: receipt.success ? receipt.data : null,
  }
}

/** null: the run was kept. */
async function faultOfKeeping(run: Run): Promise<string | null> {
  try {
    const { Full, keepRun, MOST_BYTES } = await loadRuns()
    return await keepRun(run).then(
      () => null,
      (fault) =>
        fault instanceof Full
          ? `The kept runs of this browser take ${bytes(fault.used)} of ${bytes(MOST_BYTES)}, and this one takes ${bytes(fault.bytes)}: delete some first.`
          : 'This browser stores nothing for this page, so no run can be kept.',
    )
  } catch {
    return 'The script that keeps runs could not be loaded.'
  }
}
