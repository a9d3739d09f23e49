/** The answer of the service, which takes the place of the preview. Its digits and its charge distinguish it from that. */
import type { Form } from '../../derive/forms.ts'
import { QuietButton } from './buttons.tsx'
import type { Charge } from './cost.ts'
import { plural, short, whole } from './numbers.ts'
import type { Operation, Quantity } from './operation.ts'
import { Numbers } from './preview.tsx'
import { Problem } from './problem.tsx'
import type { Standing } from './replies.ts'
import { KeepRun } from './runs/keep-run.tsx'
import { useSession } from './session.ts'
import type { Answered, Answering } from './use-answer.ts'
import type { PreviewState } from './use-preview.ts'

interface AnswerProps {
  readonly form: Form
  readonly operation: Operation
  readonly answer: Answering
  /** The preview beside the answer, with which it is compared. */
  readonly preview: PreviewState
}

export function Answer({ form, operation, answer, preview }: AnswerProps) {
  const { reply, shown, isFresh } = answer
  const { credits, windows } = useSession()
  const numbers = shown === null ? [] : operation.headline(shown.data, shown.table)
  return (
    <div class={`answer ${isFresh ? '' : 'stale'}`}>
      {(reply !== null || operation.preview === undefined) && (
        <h2>
          Answer <span class="tag">{shown ? 'from the service, charged' : 'from the service'}</span>
        </h2>
      )}
      {reply === null && (
        <p class="hint">Press “Compute” for the answer with all digits, on record in your account.</p>
      )}
      {shown !== null && reply?.success && (
        <div>
          <Numbers numbers={numbers} isExact />
          {isFresh && <Agreement numbers={numbers} preview={preview} operation={operation} />}
          <p class="hint">
            {!isFresh && <strong>For the earlier input. </strong>}
            {chargeText(reply.standing)} · {whole(Math.max(1, Math.round(reply.ms)))} ms · request{' '}
            <code>{reply.standing.requestId}</code>
          </p>
          <KeepRun form={form} answer={answer} numbers={numbers} />
        </div>
      )}
      {reply?.success === false && reply.error.code === 'cancelled' && (
        <Cancelled charge={reply.charge} retry={answer.retry} />
      )}
      {reply?.success === false && reply.error.code !== 'cancelled' && (
        <Problem reply={reply} left={answer.left} onRetry={answer.retry} />
      )}
      {credits !== null && (
        <p class="remaining">
          <span>
            <strong>{whole(credits)}</strong> {credits === 1 ? 'credit' : 'credits'} left
          </span>
          {windows.map(({ name, limit, remaining }) => (
            <span>
              <strong>{whole(remaining)}</strong>
              {limit === null ? '' : ` of ${whole(limit)}`} left {name === 'day' ? 'today' : `this ${name}`}
            </span>
          ))}
        </p>
      )}
      <p class="unseen" role="status">
        {isFresh ? sentence(reply, numbers) : ''}
      </p>
    </div>
  )
}

/** The relative difference that is allowed between the same code on two processors. */
const SAME = 1e-9

interface AgreementProps extends Pick<AnswerProps, 'operation' | 'preview'> {
  readonly numbers: readonly Quantity[]
}

/** Shows whether answer and preview have the same numbers; shows nothing if there is no preview of this input. */
function Agreement({ operation, numbers, preview }: AgreementProps) {
  if (preview.shown === null || preview.isStale) return null
  const previewed = operation.headline(preview.shown.data, preview.shown.table)
  const isSame =
    previewed.length === numbers.length &&
    numbers.every(({ value }, i) => Math.abs(value - previewed[i].value) <= SAME * Math.abs(value))
  return (
    <p class={isSame ? 'agreement' : 'error'}>
      {isSame ? '✓ The preview agrees.' : '≠ The preview differs: the answer counts.'}
    </p>
  )
}

/** The answer in one sentence, for screen readers. */
function sentence(reply: Answered | null, numbers: readonly Quantity[]): string {
  if (!reply?.success) return ''
  const shown = numbers.slice(0, 3).map(({ label, value }) => `${label} ${short(value)}`)
  return `${shown.length === 0 ? 'The answer has arrived' : shown.join(', ')}; ${chargeText(reply.standing)}.`
}

const chargeText = ({ creditsCost, replayed }: Standing): string =>
  replayed ? 'not charged again' : `${plural(creditsCost ?? 0, 'credit')} charged`

interface CancelledProps {
  readonly charge: Charge | undefined
  retry(): void
}

function Cancelled({ charge, retry }: CancelledProps) {
  const state = charge?.state ?? 'none'
  return (
    <div class="callout" role="status">
      <p>
        <strong>The call was cancelled.</strong>{' '}
        {
          {
            none: 'It was not charged.',
            looking: 'Looking up whether it was charged …',
            charged: 'It was charged: the service had received it and went on computing.',
            unknown:
              'The service cannot be asked whether it was charged. The same call again is charged once in all.',
          }[state]
        }
      </p>
      {state !== 'looking' && (
        <p class="actions">
          <QuietButton onClick={() => retry()}>
            {state === 'charged' ? 'Get its answer, without another charge' : 'Compute again'}
          </QuietButton>
        </p>
      )}
    </div>
  )
}
