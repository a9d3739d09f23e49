/** The page of one operation: fields with sliders, the free preview and its picture, and the charged answer of the service. */
// @ts-nocheck: to be converted
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Answer } from './answer.tsx'
import { BodyDrop } from './body-drop.tsx'
import { costOf } from './cost.ts'
import { Details } from './details.tsx'
import { startEntries, withTable } from './entries.ts'
import forms from './forms.js'
import { useUnits } from './greek-units.ts'
import { Inputs } from './inputs.tsx'
import { entriesOf, keepEntries } from './kept-entries.ts'
import { labelOf } from './labels.ts'
import { short } from './numbers.ts'
import { Preview } from './preview.tsx'
import { Progress } from './progress.tsx'
import { Report } from './report.tsx'
import { Samples } from './samples.tsx'
import { sentValues, withDefaults } from './sent-values.ts'
import { bodyFor, useAnswer } from './use-answer.ts'
import { usePreview } from './use-preview.ts'

/** The most cells of a table whose request is shown as code. */
const MOST_IN_SAMPLE = 120

/**
 * `operation`: its module; `tables`: a module with the exports of table-page.ts, if the operation has a table; `given`: the values
 * of a link, or null; `fault`: a message about values of the link that were left out, or null.
 */
export default function OperationPage({ form, operation, tables, given, fault }) {
  const [first, ...others] = form.summary.split(/(?<=\.)\s+(?=[A-Z])/)
  return (
    <div>
      <h1>{form.title}</h1>
      <div class="lead">
        <p>{first}</p>
        {others.length > 0 && (
          <details>
            <summary>More about it</summary>
            <p>{others.join(' ')}</p>
          </details>
        )}
      </div>
      <Modes form={form} />
      {fault !== null && (
        <p class="callout" role="status">
          {fault}
        </p>
      )}
      <Work form={form} given={given} operation={operation} tables={tables} />
    </div>
  )
}

/** The links to the pages for one row and for many rows in one request. */
function Modes({ form }) {
  const base = form.path.replace(/\/columns$/, '')
  if (!forms.some(({ path }) => path === `${base}/columns`)) return null
  return (
    <nav class="pages" aria-label="Rows">
      {[
        [base, 'One row'],
        [`${base}/columns`, 'Many rows'],
      ].map(([path, text]) => (
        <a
          href={`#${path.replace(/^\/quantlib/, '')}`}
          aria-current={path === form.path ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: to be divided
function Work({ form, given, operation, tables }) {
  const spec = useMemo(() => operation.table ?? operation.tableOf?.(form) ?? null, [])
  const started = (given) => startEntries(form, spec, { given, tables, sample: operation.sample })
  const [entries, setEntries] = useState(() => (given === null && entriesOf(form.id)) || started(given))
  useEffect(() => {
    keepEntries(form.id, entries)
  }, [entries])
  const { texts, table } = entries
  const request = useMemo(
    () => (spec === null ? NO_REQUEST : tables.requestOf(spec, table.table, table.mapping)),
    [table.table, table.mapping],
  )
  const inTable = useMemo(() => fieldsInTable(spec, table), [table])
  const fields = useMemo(() => form.fields.filter(({ name }) => !inTable.includes(name)), [inTable])
  const setText = (name) => (text) =>
    setEntries((before) => ({
      ...before,
      texts: { ...before.texts, [name]: text },
      own: before.own.includes(name) ? before.own : [...before.own, name],
    }))
  const setTable = (next) => setEntries((before) => withTable(form, spec, before, next))

  const sent = useMemo(() => sentValues(fields, texts), [fields, texts])
  const values = useMemo(() => withDefaults(fields, sent), [sent])
  const unset =
    spec?.kind === 'rows' && table.table !== null ? fields.filter(({ name }) => !(name in sent)) : []
  const asked = { form, operation, spec, values, request }
  const answer = useAnswer({ ...asked, tables, entries, sent, table })
  const preview = usePreview({ ...asked, isLarge: Boolean(table.worker), isPaused: answer.progress !== null })
  const blocked = blockedBy(request, unset)
  const isReady = blocked === null
  const start = (values) => {
    table.worker?.close()
    setEntries(started(values))
  }
  const isAnswered = answer.isFresh && answer.shown !== null
  const isDrawn = isAnswered && answer.shown.isDrawn
  const shown = isDrawn ? answer.shown : preview.shown
  const isEarlier = !isDrawn && preview.isStale
  const body = useMemo(
    () =>
      isReady && !table.worker && !(cellsIn(table.table) > MOST_IN_SAMPLE)
        ? bodyFor({ spec, tables, request, sent })
        : null,
    [sent, request],
  )
  const units = useUnits()
  // Memoised views are not rendered again: while a slider moves, only the numbers and the picture change.
  const input = useMemo(
    () =>
      spec === null ? (
        <BodyDrop form={form} onEntries={setEntries} />
      ) : (
        <tables.TableInput
          spec={spec}
          field={spec.kind === 'rows' ? undefined : form.fields.find(({ name }) => inTable.includes(name))}
          given={table}
          asks={request.asks}
          error={answer.tableError}
          onChange={setTable}
        />
      ),
    [table, request, answer.tableError],
  )
  const page = { form, sent, move: (name, value) => setText(name)(String(value)), restore: start }
  const picture = useMemo(
    () => <Picture operation={operation} shown={shown} isEarlier={isEarlier} page={page} />,
    [shown, isEarlier, units],
  )
  const details = useMemo(
    () => <Details form={form} operation={operation} tables={tables} answer={answer} units={units} />,
    [answer.reply, answer.isFresh, units],
  )
  const samples = useMemo(() => <Samples form={form} body={body} />, [body])
  return (
    <div class="work">
      <Inputs
        form={form}
        fields={fields}
        texts={texts}
        answer={answer}
        setText={setText}
        body={body}
        reset={() => start(null)}
        cost={costOf(form, request.shown, sent)}
        blocked={blocked}
        unset={unset}
        isAnswered={isAnswered}
        hasSlider={operation.preview !== null}
      >
        {input}
      </Inputs>
      <div class="outcome">
        <div class="numbers">
          <Preview operation={operation} preview={preview} blocked={blocked} />
          <Answer operation={operation} answer={answer} preview={preview} />
        </div>
        {answer.progress !== null && (
          <div class="callout">
            <Progress {...answer.progress} />
            <p>
              <button type="button" class="small quiet" onClick={answer.cancel}>
                Cancel
              </button>
            </p>
          </div>
        )}
        {spec?.turns !== undefined && isReady && shown !== null && !isEarlier && (
          <Turn
            auc={shown.data.auc_roc}
            onTurn={() =>
              setTable({ ...table, mapping: { ...table.mapping, isTurned: !table.mapping.isTurned } })
            }
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
    </div>
  )
}

/** `shown`: the answer or the preview; `isEarlier`: whether its input is an earlier one; `page`: the form and its setters. */
function Picture({ operation, shown, isEarlier, page }) {
  if (operation.Picture === null) return null
  if (shown === null)
    return (
      <p class="empty">
        {operation.preview === null
          ? 'The picture appears with the answer.'
          : 'The picture appears once the input is complete.'}
      </p>
    )
  return (
    <section class={isEarlier ? 'picture earlier' : 'picture'} aria-label="Picture">
      {isEarlier && (
        <p class="hint late" role="status">
          This is the picture of the earlier input; the new one is being computed.
        </p>
      )}
      <operation.Picture {...shown} page={page} />
    </section>
  )
}

/** Offers to reverse scores whose high values seem to be safe. */
const Turn = ({ auc, onTurn }) =>
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

const NO_REQUEST = { asks: [], fields: {}, shown: null }

const cellsIn = (table) => (table === null || table === undefined ? 0 : table.rows * table.columns.length)

/** The fields whose values are in the table. */
const fieldsInTable = (spec, { mapping }) => {
  if (spec === null) return []
  if (spec.kind !== 'rows') return spec.field === undefined ? spec.fields : [spec.field, spec.names]
  return spec.fields.filter((name) => mapping?.fields[name] !== undefined)
}

/** The reason why the call cannot be sent, or null. */
const blockedBy = ({ asks }, unset) =>
  asks[0]?.text ??
  (unset.length > 0 ? `Still needed: ${unset.map(({ name }) => labelOf(name)).join(', ')}.` : null)
