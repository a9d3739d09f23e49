/** The input of a table: typed, pasted, dropped on the page or from a file, with its first rows and the meanings of columns. */
// @ts-nocheck: to be converted
import { useId, useRef } from 'preact/hooks'
import { ColumnChoice } from './column-choice.tsx'
import { labelOf } from './labels.ts'
import { bytes, plural } from './numbers.ts'
import { Progress } from './progress.tsx'
import { NO_TABLE, textEntry } from './table-entry.ts'
import { AsideRows, FirstRows } from './table-preview.tsx'
import { useDrop } from './use-drop.ts'
import { LONGEST_TEXT, useTableFile } from './use-table-file.ts'

/** `given`: the present entry (table-entry.ts), which `onChange` replaces; `asks`: those of request.ts. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: to be divided
export function TableInput({ spec, field, given, asks, error, onChange }) {
  const id = useId()
  const picker = useRef(null)
  const shownError = error ?? given.error
  const change = (entry) => {
    if (entry.worker !== given.worker) given.worker?.close()
    onChange(entry)
  }
  const { progress, take, stop } = useTableFile({ spec, given, change })
  // For an operation on two samples, the second file is added to the first.
  const add = (file) =>
    spec.kind === 'samples' && given.file && !given.beside ? take(given.file, { beside: file }) : take(file)
  useDrop(add)
  const paste = (event) => {
    const text = event.clipboardData.getData('text')
    if (text.length <= LONGEST_TEXT) return
    event.preventDefault()
    take(new File([text], 'Pasted text'))
  }
  const pick = (event) => {
    const [file] = event.currentTarget.files
    if (file) add(file)
    event.currentTarget.value = ''
  }
  /** Reads the same file or text again, with other types, rows taken back, or another sheet. */
  const again = ({ types = given.types, taken = given.taken, sheet = given.table?.sheet ?? null }) =>
    given.file
      ? take(given.file, { types, taken, sheet, before: given, beside: given.beside })
      : change(textEntry(spec, given.text, { types, taken, before: given }))
  const { table } = given
  const title =
    { transitions: 'Ratings', rows: 'Rows', samples: 'Both samples' }[spec.kind] ??
    (spec.field === undefined ? (spec.needed ?? spec.fields).map(labelOf).join(' and ') : labelOf(spec.field))
  const wire = spec.kind === 'rows' ? 'columns' : (spec.field ?? spec.fields.join(', '))
  return (
    <div class="field table-input">
      <label for={given.file ? `${id}-file` : id}>
        {title}
        <code class="wire">{wire}</code>
      </label>
      {progress !== null ? (
        <div class="file-card">
          <Progress {...progress} />
          <button type="button" class="small quiet" onClick={stop}>
            Cancel
          </button>
        </div>
      ) : given.file ? (
        <div class="file-card">
          <p>
            {[given.file, given.beside]
              .filter((one) => one)
              .map(({ name, size }) => (
                <>
                  <strong>{name}</strong> <span class="hint">{bytes(size)}</span>{' '}
                </>
              ))}
          </p>
          <button type="button" class="small quiet" onClick={() => change(NO_TABLE)}>
            Remove
          </button>
        </div>
      ) : (
        <textarea
          id={id}
          name={wire.replaceAll(',', '')}
          rows="5"
          spellcheck="false"
          autocomplete="off"
          value={given.text}
          placeholder="one row per line, or JSON"
          aria-invalid={shownError ? 'true' : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
          onInput={(event) =>
            onChange(
              textEntry(spec, event.currentTarget.value, {
                types: given.types,
                taken: given.taken,
                before: given,
              }),
            )
          }
          onPaste={paste}
        />
      )}
      <p class="error" id={`${id}-error`} role={given.error ? 'alert' : undefined} hidden={!shownError}>
        {shownError}
      </p>
      <p class="file">
        <button type="button" class="small quiet" id={`${id}-file`} onClick={() => picker.current.click()}>
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
        <span class="hint">
          {spec.kind === 'samples' && 'one or two of '}CSV, TSV, XLSX, JSON; or drop it on this page
        </span>
      </p>
      <p class="hint" id={`${id}-hint`}>
        {table ? described(table) : (field?.description ?? 'Paste from a spreadsheet, or choose a file.')}
      </p>
      {progress === null && table !== null && (
        <>
          <FirstRows
            table={table}
            types={given.types}
            onTypes={(types) => again({ types })}
            onSheet={(sheet) => again({ types: {}, taken: [], sheet })}
          />
          <AsideRows aside={table.aside} taken={given.taken} onTaken={(taken) => again({ taken })} />
          <ColumnChoice
            spec={spec}
            table={table}
            mapping={given.mapping}
            asks={asks}
            onChange={(mapping) => onChange({ ...given, mapping })}
            onTypes={(types) => again({ types: { ...given.types, ...types } })}
          />
        </>
      )}
    </div>
  )
}

const described = ({ rows, columns, hasHeader, skipped, separator }) =>
  [
    `${plural(rows, 'row')} × ${plural(columns.length, 'column')}`,
    hasHeader && separator !== 'JSON' && 'headings recognised',
    skipped > 0 && `${plural(skipped, 'line')} above the headings left out`,
    separator && (/^[A-Z]+$/.test(separator) ? separator : `separated by ${separator}`),
  ]
    .filter((part) => part)
    .join(' · ')
