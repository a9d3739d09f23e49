/** The printed report of a computation: the time, version and request, the input with its units, and the numbers. */
import type { Form } from '../../derive/forms.ts'
import type { Matrix, SentTable, Table } from './data/shapes.ts'
import { labelOf, wordFor } from './labels.ts'
import { plural, whole } from './numbers.ts'
import { version } from './offers.ts'
import type { Operation, Shown } from './operation.ts'
import { Numbers } from './preview.tsx'
import type { Standing } from './replies.ts'
import type { Answered } from './use-answer.ts'

const LONGEST = 100
const MOST_COLUMNS = 9

interface ReportProps {
  readonly form: Form
  readonly operation: Operation
  /** The answer, or the preview if there is no answer. */
  readonly shown: Shown | null
  /** The reply of the answer, or null. */
  readonly reply: Answered | null
  /** That of the table. */
  readonly file: File | null
}

export function Report({ form, operation, shown, reply, file }: ReportProps) {
  if (shown === null) return null
  const { values, table, data } = shown
  const isInTable = (kind: string) => kind === 'records' && table !== null
  const fields = form.fields.filter(
    ({ name, kind }) => !isLong(values[name]) && !isInTable(kind) && String(values[name] ?? '') !== '',
  )
  return (
    <section class="report" aria-label="Report">
      <p class="source">
        {reply === null ? 'Preview by the browser, not an answer of the service' : answered(reply.standing)} ·
        quantd {version} at {location.origin}
        {form.path}
      </p>
      <dl class="given">
        {table && (
          <div>
            <dt>Table</dt>
            <dd>{tableText(table, file)}</dd>
          </div>
        )}
        {fields.map(({ name, kind, description }) => (
          <div>
            <dt>{labelOf(name)}</dt>
            <dd>
              {valueText(values[name], kind)}{' '}
              <span class="about">{kind !== 'choice' && unitIn(description)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {table?.given && <Rows table={table.given} />}
      <Numbers numbers={operation.headline(data, table)} isExact />
    </section>
  )
}

const answered = ({ date, requestId, creditsCost, replayed }: Standing): string =>
  [
    `Answer of ${date === null ? new Date().toISOString() : new Date(date).toISOString().replace('T', ' ').replace('.000Z', ' UTC')}`,
    `request ${requestId}`,
    replayed ? 'not charged again' : `${plural(creditsCost ?? 0, 'credit')} charged`,
  ].join(' · ')

/** Whether a value is a column or a matrix of the table, which Rows shows. */
const isLong = (value: unknown): boolean =>
  ArrayBuffer.isView(value) || ArrayBuffer.isView((value as Partial<Matrix> | null | undefined)?.values)

function valueText(value: unknown, kind: string): string {
  if (kind === 'choice') return wordFor(value)
  const text =
    typeof value === 'string' ? value : Array.isArray(value) ? listText(value) : JSON.stringify(value)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} … (${whole(text.length)} characters)`
}

const listText = (list: readonly unknown[]): string =>
  list.every((item) => typeof item === 'number') ? list.join(', ') : JSON.stringify(list)

/** The beginning of a description, which contains the unit. */
const unitIn = (description: string) => description.split(/[;(]|\. /)[0]

const tableText = ({ given, rows }: SentTable, file: File | null): string =>
  [
    file?.name,
    `${plural(rows, 'row')}${rows < given.rows ? ` of ${whole(given.rows)}` : ''}`,
    given.columns
      .slice(0, MOST_COLUMNS)
      .map(({ name }) => name)
      .join(', ') +
      (given.columns.length > MOST_COLUMNS ? ` and ${given.columns.length - MOST_COLUMNS} more` : ''),
  ]
    .filter((part) => part)
    .join(' · ')

/** A table of the first rows, with their texts. */
const Rows = ({ table: { columns, head, rows } }: { readonly table: Table }) => (
  <>
    <table>
      <thead>
        <tr>
          {columns.slice(0, MOST_COLUMNS).map(({ name }) => (
            <th>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {head.slice(0, 3).map((cells) => (
          <tr>
            {cells.slice(0, MOST_COLUMNS).map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    {rows > 3 && <p class="about">The first 3 of {plural(rows, 'row')}.</p>}
  </>
)
