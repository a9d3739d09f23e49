/** What an operation's page shows beside the form: the preview, the answer of the service, their picture and the report. */
import { useMemo } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { Answer } from './answer.tsx'
import { SmallButton } from './buttons.tsx'
import type { TableEntry, TableSpec } from './data/shapes.ts'
import { Details } from './details.tsx'
import { useUnits } from './greek-units.ts'
import { Progress } from './loaded.tsx'
import { short } from './numbers.ts'
import type { Operation, PageOfOperation, Shown } from './operation.ts'
import { Preview } from './preview.tsx'
import { Report } from './report.tsx'
import { Samples } from './samples.tsx'
import type { Answering } from './use-answer.ts'
import type { PreviewState } from './use-preview.ts'

interface OutcomeProps {
  readonly form: Form
  readonly operation: Operation
  readonly spec: TableSpec | null
  readonly table: TableEntry
  setTable(next: TableEntry): void
  readonly page: PageOfOperation
  /** The request; null: it is too long to show. */
  readonly body: object | null
  /** The request as JSON, however long; null: the inputs make none yet. */
  readonly whole: (() => Promise<Blob>) | null
  /** The reason why it cannot be sent, or null. */
  readonly blocked: string | null
  readonly answer: Answering
  readonly preview: PreviewState
}

export function Outcome(props: OutcomeProps) {
  const { form, operation, spec, table, setTable, page, body, whole, blocked, answer, preview } = props
  const units = useUnits()
  const isAnswered = answer.isFresh && answer.shown !== null
  const isDrawn = isAnswered && answer.shown?.isDrawn === true
  const shown = isDrawn ? answer.shown : preview.shown
  const isEarlier = !isDrawn && preview.isStale
  const isFault = preview.fault !== null
  const picture = useMemo(
    () => (
      <Picture
        operation={operation}
        shown={shown}
        isEarlier={isEarlier}
        isFault={isFault}
        isWaiting={preview.isWaiting}
        page={page}
      />
    ),
    [shown, isEarlier, isFault, preview.isWaiting, units],
  )
  const details = useMemo(
    () => <Details operation={operation} answer={answer} />,
    [answer.reply, answer.isFresh, units],
  )
  const samples = useMemo(
    () => <Samples form={form} body={body} whole={whole} file={table.file} />,
    [body, whole, table.file],
  )
  const { mapping } = table
  return (
    <div class="outcome">
      <section class="card result" aria-label="Result" tabindex={0}>
        {!isAnswered && <Preview operation={operation} preview={preview} blocked={blocked} />}
        <Answer form={form} operation={operation} answer={answer} preview={preview} />
      </section>
      {answer.progress !== null && (
        <div class="callout">
          <Progress {...answer.progress} />
          <p>
            <SmallButton onClick={answer.cancel}>Cancel</SmallButton>
          </p>
        </div>
      )}
      {spec?.turns !== undefined && blocked === null && shown !== null && !isEarlier && mapping !== null && (
        <Turn
          auc={Number(shown.data.auc_roc)}
          onTurn={() => setTable({ ...table, mapping: { ...mapping, isTurned: !mapping.isTurned } })}
        />
      )}
      <Report
        form={form}
        operation={operation}
        shown={shown}
        reply={isDrawn ? answer.reply : null}
        file={table.file}
      />
      {picture}
      {details}
      {samples}
    </div>
  )
}

interface OutcomePictureProps {
  readonly operation: Operation
  /** The answer or the preview. */
  readonly shown: Shown | null
  /** Whether its input is an earlier one. */
  readonly isEarlier: boolean
  /** Whether the present input has none. */
  readonly isFault: boolean
  /** Whether the preview is being computed. */
  readonly isWaiting: boolean
  readonly page: PageOfOperation
}

function Picture({ operation, shown, isEarlier, isFault, isWaiting, page }: OutcomePictureProps) {
  if (shown === null)
    return (
      <p class="empty">
        {operation.preview === undefined
          ? 'The picture appears with the answer.'
          : isWaiting
            ? 'The picture is being computed …'
            : 'The picture appears once the input is complete.'}
      </p>
    )
  return (
    <section class={isEarlier ? 'picture earlier' : 'picture'} aria-label="Picture">
      {isEarlier && (
        <p class={isFault ? 'hint' : 'hint late'} role="status">
          This is the picture of the earlier input
          {isFault ? ', until the fault is mended.' : '; the new one is being computed.'}
        </p>
      )}
      <operation.Picture {...shown} page={page} />
    </section>
  )
}

/** Offers to reverse scores whose high values seem to be safe. */
const Turn = ({ auc, onTurn }: { readonly auc: number; onTurn(): void }) =>
  auc < 0.5 && (
    <div class="callout ask reversal">
      <p>
        The area under ROC is {short(auc)}, below that of chance. If high values are safe, it is{' '}
        {short(1 - auc)}.
      </p>
      <button type="button" class="small" onClick={onTurn}>
        Turn the values around
      </button>
    </div>
  )
