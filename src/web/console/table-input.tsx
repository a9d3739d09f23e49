/** The input of a table: typed, pasted, dropped on the page or from a file, with its first rows and the meanings of columns. */
import type { TargetedClipboardEvent, TargetedEvent } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { FormField } from '../../derive/forms.ts'
import { ColumnChoice } from './column-choice.tsx'
import { fieldsOf } from './data/mapping.ts'
import {
  NO_TABLE,
  type Table,
  type TableEntry,
  type TableRequest,
  type TableSpec,
  type TaskProgress,
} from './data/shapes.ts'
import { takeHanded } from './handed-file.ts'
import { labelOf } from './labels.ts'
import { bytes, plural } from './numbers.ts'
import { Progress } from './progress.tsx'
import { textEntry } from './table-entry.ts'
import { AsideRows, FirstRows } from './table-preview.tsx'
import { useDrop } from './use-drop.ts'
import { LONGEST_TEXT, useTableFile } from './use-table-file.ts'

interface TableInputProps {
  readonly spec: TableSpec
  /** The field that holds the table; absent where each of its columns is a field. */
  readonly field: FormField | undefined
  /** The present entry, which `onChange` replaces. */
  readonly given: TableEntry
  readonly asks: TableRequest['asks']
  /** The error of the service for the table, or null. */
  readonly error: string | null
  onChange(entry: TableEntry): void
}

export function TableInput(props: TableInputProps) {
  const { spec, field, given, asks, error, onChange } = props
  const id = useId()
  const { progress, add, take, stop, change, again } = useEntry(props)
  const shownError = error ?? given.error
  const { table, mapping, types, taken } = given
  const wire = spec.kind === 'rows' ? 'columns' : (spec.field ?? fieldsOf(spec).join(', '))
  const title = titleOf(spec)
  return (
    <div class="field table-input">
      <label for={given.file ? `${id}-file` : id}>
        {title}
        <code class="wire">{wire}</code>
      </label>
      {progress !== null ? (
        <Reading progress={progress} onCancel={stop} />
      ) : given.file ? (
        <Files given={given} onRemove={() => change(NO_TABLE)} />
      ) : (
        <textarea
          id={id}
          name={wire.replaceAll(',', '')}
          rows={5}
          spellcheck={false}
          autocomplete="off"
          value={given.text}
          placeholder="one row per line, or JSON"
          aria-invalid={shownError ? 'true' : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
          onInput={(event) =>
            onChange(textEntry(spec, event.currentTarget.value, { types, taken, before: given }))
          }
          onPaste={(event) => pasteLong(event, take)}
        />
      )}
      <p class="error" id={`${id}-error`} role={given.error ? 'alert' : undefined} hidden={!shownError}>
        {shownError}
      </p>
      <FilePicker id={`${id}-file`} title={title} isOfSamples={spec.kind === 'samples'} onFile={add} />
      <p class="hint" id={`${id}-hint`}>
        {table ? described(table) : (field?.description ?? 'Paste from a spreadsheet, or choose a file.')}
      </p>
      {progress === null && table !== null && mapping !== null && (
        <>
          <FirstRows
            table={table}
            types={types}
            onTypes={(types) => again({ types })}
            onSheet={(sheet) => again({ types: {}, taken: [], sheet })}
          />
          <AsideRows aside={table.aside} taken={taken} onTaken={(taken) => again({ taken })} />
          <ColumnChoice
            spec={spec}
            table={table}
            mapping={mapping}
            asks={asks}
            onChange={(mapping) => onChange({ ...given, mapping })}
            onTypes={(chosen) => again({ types: { ...types, ...chosen } })}
          />
        </>
      )}
    </div>
  )
}

/** What the person chose anew; absent: as before. */
interface Choice extends Partial<Pick<TableEntry, 'types' | 'taken'>> {
  readonly sheet?: string | null
}

/** The functions that replace the entry. */
function useEntry({ spec, given, onChange }: TableInputProps) {
  const change = (entry: TableEntry) => {
    if (entry.worker !== given.worker) given.worker?.close()
    onChange(entry)
  }
  const { progress, take, stop } = useTableFile({ spec, given, change })
  // For an operation on two samples, the second file is added to the first.
  const add = (file: File) =>
    spec.kind === 'samples' && given.file && !given.beside ? take(given.file, { beside: file }) : take(file)
  useDrop(add)
  useLayoutEffect(() => {
    const file = takeHanded()
    if (file !== null) add(file)
  }, [])
  /** Reads the same file or text again, with other types, rows taken back, or another sheet. */
  const again = ({ types = given.types, taken = given.taken, sheet = given.table?.sheet ?? null }: Choice) =>
    given.file
      ? take(given.file, { types, taken, sheet, before: given, beside: given.beside })
      : change(textEntry(spec, given.text, { types, taken, before: given }))
  return { progress, add, take, stop, change, again }
}

/** Takes a text that is too long for the text area as a file. */
function pasteLong(event: TargetedClipboardEvent<HTMLTextAreaElement>, take: (file: File) => void): void {
  const text = event.clipboardData?.getData('text') ?? ''
  if (text.length <= LONGEST_TEXT) return
  event.preventDefault()
  take(new File([text], 'Pasted text'))
}

function titleOf(spec: TableSpec): string {
  if (spec.kind === 'transitions') return 'Ratings'
  if (spec.kind === 'rows') return 'Rows'
  if (spec.kind === 'samples') return 'Both samples'
  if (spec.field !== undefined) return labelOf(spec.field)
  return (spec.needed ?? fieldsOf(spec)).map(labelOf).join(' and ')
}

interface ReadingProps {
  readonly progress: TaskProgress
  onCancel(): void
}

const Reading = ({ progress, onCancel }: ReadingProps) => (
  <div class="file-card">
    <Progress {...progress} />
    <button type="button" class="small quiet" onClick={onCancel}>
      Cancel
    </button>
  </div>
)

interface FilesProps {
  readonly given: TableEntry
  onRemove(): void
}

const Files = ({ given, onRemove }: FilesProps) => (
  <div class="file-card">
    <p>
      {[given.file, given.beside]
        .filter((one) => one !== null)
        .map(({ name, size }) => (
          <>
            <strong>{name}</strong> <span class="hint">{bytes(size)}</span>{' '}
          </>
        ))}
    </p>
    <button type="button" class="small quiet" onClick={onRemove}>
      Remove
    </button>
  </div>
)

interface FilePickerProps {
  /** Of the button. */
  readonly id: string
  readonly title: string
  readonly isOfSamples: boolean
  onFile(file: File): void
}

function FilePicker({ id, title, isOfSamples, onFile }: FilePickerProps) {
  const picker = useRef<HTMLInputElement>(null)
  const pick = (event: TargetedEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? []
    if (file) onFile(file)
    event.currentTarget.value = ''
  }
  return (
    <p class="file">
      <button type="button" class="small quiet" id={id} onClick={() => picker.current?.click()}>
        Choose a file …
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.xlsx,.xlsm"
        aria-label={`File for ${title}`}
        onChange={pick}
      />{' '}
      <span class="hint">{isOfSamples && 'one or two of '}CSV, TSV, XLSX, JSON; or drop it on this page</span>
    </p>
  )
}

const described = ({ rows, columns, hasHeader, skipped, separator }: Table): string =>
  [
    `${plural(rows, 'row')} × ${plural(columns.length, 'column')}`,
    hasHeader && separator !== 'JSON' && 'headings recognised',
    skipped > 0 && `${plural(skipped, 'line')} above the headings left out`,
    separator && (/^[A-Z]+$/.test(separator) ? separator : `separated by ${separator}`),
  ]
    .filter((part) => part)
    .join(' · ')
