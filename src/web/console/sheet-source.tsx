/** The source of the table of a page: its file or text, and the controls that replace it. */
import type { TargetedClipboardEvent } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { FormField } from '../../derive/forms.ts'
import { fieldsOf } from './data/mapping.ts'
import type { Table, TableEntry, TableSpec, TaskProgress } from './data/shapes.ts'
import { FileButton } from './file-button.tsx'
import { labelOf } from './labels.ts'
import { Progress } from './loaded.tsx'
import { bytes, plural } from './numbers.ts'
import { LONGEST_TEXT } from './use-table-file.ts'

interface SheetSourceProps {
  readonly spec: TableSpec
  readonly field: FormField | undefined
  readonly given: TableEntry
  /** The error of the service for the table, or null. */
  readonly error: string | null
  readonly isReading: boolean
  onText(text: string): void
  onFile(file: File): void
  /** Takes a text that is too long for the text area. */
  onLongText(text: string): void
  onSheet(sheet: string): void
  onRemove(): void
}

export function SheetSource(props: SheetSourceProps) {
  const { spec, field, given, error, isReading, onText, onFile, onLongText, onSheet, onRemove } = props
  const id = useId()
  const [isWanted, setWanted] = useState(false)
  const { table, file, text } = given
  const shownError = error ?? given.error
  const wire = spec.kind === 'rows' ? 'columns' : (spec.field ?? (spec.needed ?? fieldsOf(spec)).join(', '))
  const isTyped = !isReading && file === null && (isWanted || isList(spec, table))
  return (
    <>
      <div class="source-bar">
        <label for={isTyped ? id : `${id}-file`}>
          {titleOf(spec)}
          <code class="wire">{wire}</code>
        </label>
        {file !== null && !isReading && <Files given={given} onRemove={onRemove} />}
        <p class="hint" id={`${id}-hint`}>
          {table
            ? described(table)
            : (field?.description ?? 'Paste cells, type one row per line, or drop a file on this page.')}
        </p>
        <SheetChoice table={table} onSheet={onSheet} />
        <span class="tools">
          {file === null && !isReading && !isList(spec, table) && (
            <button
              type="button"
              class="small quiet"
              aria-expanded={isWanted}
              onClick={() => setWanted(!isWanted)}
            >
              Edit as text
            </button>
          )}
          <FileButton
            id={`${id}-file`}
            label="Choose a file …"
            title={`${spec.kind === 'samples' ? 'One or two of ' : ''}CSV, TSV, XLSX, JSON, Parquet, Arrow; or drop it on this page`}
            kind="small quiet"
            of={titleOf(spec)}
            onFile={onFile}
          />
        </span>
      </div>
      {isTyped && (
        <textarea
          id={id}
          name={wire.replaceAll(',', '')}
          rows={5}
          spellcheck={false}
          autocomplete="off"
          value={text}
          placeholder="Paste cells, type one row per line, or drop a file on this page"
          aria-invalid={shownError ? 'true' : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
          onInput={(event) => {
            // The text area stays while the table that is typed into it becomes one of several columns.
            setWanted(true)
            onText(event.currentTarget.value)
          }}
          onPaste={(event) => pasteLong(event, onLongText)}
        />
      )}
      <p class="error" id={`${id}-error`} role={given.error ? 'alert' : undefined} hidden={!shownError}>
        {shownError}
      </p>
    </>
  )
}

/** Whether the table is best typed: there is none yet, or it is one list of numbers. */
const isList = (spec: TableSpec, table: Table | null): boolean =>
  table === null || (spec.kind === 'columns' && table.columns.length === 1 && !table.hasHeader)

function pasteLong(event: TargetedClipboardEvent<HTMLTextAreaElement>, take: (text: string) => void): void {
  const text = event.clipboardData?.getData('text') ?? ''
  if (text.length <= LONGEST_TEXT) return
  event.preventDefault()
  take(text)
}

function titleOf(spec: TableSpec): string {
  if (spec.kind === 'transitions' || spec.kind === 'history') return 'Ratings'
  if (spec.kind === 'rows') return 'Rows'
  if (spec.kind === 'samples') return 'Both samples'
  if (spec.field !== undefined) return labelOf(spec.field)
  return (spec.needed ?? fieldsOf(spec)).map(labelOf).join(' and ')
}

/** A table in words. */
export const described = ({ rows, made, above, columns, hasHeader, separator }: Table): string =>
  [
    `${plural(rows, 'row')} × ${plural(columns.length, 'column')}`,
    made,
    hasHeader && separator !== 'JSON' && 'headings recognised',
    above.length > 0 && `${plural(above.length, 'line')} above the headings left out`,
    separator && (/^[A-Z]+$/.test(separator) ? separator : `separated by ${separator}`),
  ]
    .filter((part) => part)
    .join(' · ')

interface FilesProps {
  readonly given: TableEntry
  onRemove(): void
}

const Files = ({ given, onRemove }: FilesProps) => (
  <p class="file-card">
    {[given.file, given.beside]
      .filter((one) => one !== null)
      .map(({ name, size }) => (
        <>
          <strong>{name}</strong> <span class="hint">{bytes(size)}</span>{' '}
        </>
      ))}
    <button type="button" class="small quiet" onClick={onRemove}>
      Remove
    </button>
  </p>
)

interface SheetChoiceProps {
  readonly table: Table | null
  onSheet(sheet: string): void
}

/** The sheet of a workbook. */
export function SheetChoice({ table, onSheet }: SheetChoiceProps) {
  const { sheets = [], sheet } = table ?? {}
  if (sheets.length <= 1) return null
  return (
    <label class="sheet-choice">
      Sheet{' '}
      <select value={sheet} onChange={(event) => onSheet(event.currentTarget.value)}>
        {sheets.map((name) => (
          <option value={name} selected={name === sheet}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ReadingProps {
  readonly progress: TaskProgress
  onCancel(): void
}

export const Reading = ({ progress, onCancel }: ReadingProps) => (
  <div class="file-card">
    <Progress {...progress} />
    <button type="button" class="small quiet" onClick={onCancel}>
      Cancel
    </button>
  </div>
)
