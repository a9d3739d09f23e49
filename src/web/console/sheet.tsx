/** The table of a page: dropped, pasted, typed or from a file, with the meaning of each column in its heading and results beside it. */
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { FormField } from '../../derive/forms.ts'
import { takeSource } from './carried.ts'
import { HeadingControls, type Mapped, Questions, Settings } from './column-choice.tsx'
import type { Beside, Suggestion } from './data/beside-table.ts'
import { roleOf, rolesFor, UNUSED, USED } from './data/roles.ts'
import { NO_TABLE, type TableEntry, type TableRequest, type TableSpec } from './data/shapes.ts'
import { type AsideKey, type Column, cellOf, isDate, isNumeric, numberOf, type Table } from './data/table.ts'
import { takeHanded } from './handed-file.ts'
import { amongRows, LeftOutRows, leftOut, namesWithLeftOut, withLeftOut } from './left-out-rows.tsx'
import { grouped, plural, whole } from './numbers.ts'
import {
  type AnsweredRows,
  type CellFault,
  csvOf,
  type Flag,
  type RowResults,
  rowResults,
} from './row-results.ts'
import { saveBlob } from './save.ts'
import { Reading, SheetSource } from './sheet-source.tsx'
import { flaggedFirst, rowFilter } from './shown-rows.ts'
import { confirmed, textEntry } from './table-entry.ts'
import { useDrop } from './use-drop.ts'
import { LONGEST_TEXT, useTableFile } from './use-table-file.ts'
import { type TableColumn, VirtualTable } from './virtual-table.tsx'

const MOST_COLUMNS = 60

interface SheetProps {
  readonly spec: TableSpec
  /** The field that holds the table; absent where each of its columns is a field. */
  readonly field: FormField | undefined
  /** The present entry, which `onChange` replaces. */
  readonly given: TableEntry
  readonly request: TableRequest
  /** The error of the service for the table, or null. */
  readonly error: string | null
  /** The cells that the service refuses. */
  readonly faults: readonly CellFault[]
  /** The results of its rows, or null. */
  readonly answered: AnsweredRows | null
  readonly beside: Beside
  /** Takes values of fields beside the table. */
  onTexts(texts: Suggestion['texts']): void
  onChange(entry: TableEntry): void
  /** Tells whether a file is being read, which will replace the entry. */
  onReading(isReading: boolean): void
}

export function Sheet(props: SheetProps) {
  const { spec, field, given, request, error, faults, answered, onChange, onReading } = props
  const { beside, onTexts } = props
  const { progress, add, take, stop, change, again } = useEntry(props)
  useLayoutEffect(() => onReading(progress !== null), [progress !== null])
  const { table, mapping, types, taken } = given
  const mapped: Mapped | null = table &&
    mapping && {
      spec,
      table,
      mapping,
      onChange: (mapping) => onChange({ ...given, mapping }),
      onTypes: (chosen) => again({ types: { ...types, ...chosen } }),
    }
  return (
    <section class="field table-input sheet" aria-label="Table">
      <SheetSource
        spec={spec}
        field={field}
        given={given}
        error={error}
        isReading={progress !== null}
        onText={(text) => onChange(textEntry(spec, text, { types, taken, before: given }))}
        onFile={add}
        onLongText={take}
        onSheet={(sheet) => again({ types: {}, taken: [], sheet })}
        onRemove={() => change(NO_TABLE)}
      />
      {progress !== null && <Reading progress={progress} onCancel={stop} />}
      {progress === null && mapped !== null && (
        <>
          <Questions {...mapped} asks={request.asks} beside={beside} onTexts={onTexts} />
          <LeftOutRows table={mapped.table} taken={taken} onTaken={(taken) => again({ taken })} />
          <Rows
            {...mapped}
            lacking={request.shown?.kept ? mapped.table.rows - request.shown.rows : 0}
            answered={answered}
            faults={faults}
            onTake={(key) => again({ taken: [...taken, key] })}
          />
          <Settings {...mapped} />
        </>
      )}
    </section>
  )
}

/** What the person chose anew; absent: as before. */
interface Choice extends Partial<Pick<TableEntry, 'types' | 'taken'>> {
  readonly sheet?: string | null
}

/** The functions that replace the entry. */
function useEntry({ spec, given, onChange }: SheetProps) {
  const change = (entry: TableEntry) => {
    if (entry.worker !== given.worker) given.worker?.close()
    onChange(entry)
  }
  const { progress, take, stop } = useTableFile({ spec, given, change })
  // For an operation on two samples, the second file is added to the first.
  const add = (file: File) =>
    spec.kind === 'samples' && given.file && !given.beside ? take(given.file, { beside: file }) : take(file)
  const takeText = (text: string) =>
    text.length > LONGEST_TEXT ? take(pastedFile(text)) : change(textEntry(spec, text))
  useDrop({ file: add, text: takeText })
  useLayoutEffect(() => {
    const { file, text, ...chosen } = takeHanded() ?? {}
    const carried = takeSource()
    if (file) take(file, chosen)
    else if (text !== undefined) change(confirmed(textEntry(spec, text, chosen), chosen.isConfirmed))
    else if (carried?.source?.file) take(carried.source.file, { ...carried.source, carried })
  }, [])
  /** Reads the same file or text again, with other types, rows taken back, or another sheet. */
  const again = ({ types = given.types, taken = given.taken, sheet = given.table?.sheet ?? null }: Choice) =>
    given.file
      ? take(given.file, { types, taken, sheet, before: given, beside: given.beside })
      : change(textEntry(spec, given.text, { types, taken, before: given }))
  return { progress, add, take: (text: string) => take(pastedFile(text)), stop, change, again }
}

/** A text that is too long for the text area. */
export const pastedFile = (text: string) => new File([text], 'Pasted text')

interface RowsProps extends Mapped {
  /** Takes back a row that was set aside. */
  onTake(key: AsideKey): void
  /** The number of rows that are left out because they lack a value. */
  readonly lacking: number
  readonly faults: readonly CellFault[]
  readonly answered: AnsweredRows | null
}

/** The rows, of which those can be shown that a person looks for, with the results beside them. */
function Rows({ lacking, answered, faults, onTake, ...mapped }: RowsProps) {
  const { table, mapping } = mapped
  const [isFirst, setFirst] = useState(true)
  const [wanted, setWanted] = useState('')
  const results = useMemo(() => answered && placed(answered, table), [answered, table])
  const left = useMemo(() => leftOut(table), [table])
  const columns = useMemo(
    () => [
      ...resultColumns(results).map((column) => withLeftOut(column, left, null)),
      ...ownColumns(mapped, flagsOf(results, faults)).map(({ at, ...column }) =>
        withLeftOut(column, left, at),
      ),
    ],
    [results, faults, table, mapping],
  )
  const order = useMemo(() => {
    const all = orderOf(table.rows, isFirst ? results : null)
    const isWanted = wanted.trim() === '' ? null : rowFilter(wanted, table.columns)
    if (isWanted !== null) return all.filter((row) => isWanted(row))
    return amongRows(all, left, (row) => (isFirst && results !== null ? 0 : numberOf(table, row)))
  }, [results, table, isFirst, wanted])
  const names = useMemo(() => namesWithLeftOut(namesColumn(mapped), left, mapping.names), [table, mapping])
  const struck = (row: number) => {
    const out = left.rows[row - left.first]
    return (
      out && (
        <button type="button" class="small quiet" onClick={() => onTake(out.key)}>
          Take back<span class="unseen"> row {out.number}, which is left out</span>
        </button>
      )
    )
  }
  const others = columns.length - MOST_COLUMNS
  return (
    <div class={answered?.isFresh === false ? 'rows stale' : 'rows'}>
      <div class="heading">
        <label class="filter">
          <span class="unseen">Show rows with</span>
          <input
            type="search"
            placeholder="Show rows with … or > 100"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
        <span class="hint" role="status">
          {wanted.trim() !== '' &&
            `${whole(order.length)} of ${plural(table.rows, 'row')} shown; all are computed.`}
          {lacking > 0 && ` Left out: ${plural(lacking, 'row')} without a value.`}
          {results !== null && answered?.isFresh === false && ' Results of the earlier input.'}
        </span>
        {results !== null && (
          <label class="check">
            <input
              type="checkbox"
              checked={isFirst}
              onChange={(event) => setFirst(event.currentTarget.checked)}
            />{' '}
            {results.word} rows first
          </label>
        )}
        {answered !== null && results !== null && <Saving answered={answered} results={results} />}
      </div>
      <VirtualTable
        label="Rows of the table"
        names={names}
        columns={columns.slice(0, MOST_COLUMNS)}
        order={order}
        struck={struck}
        isLinked
      />
      {others > 0 && <p class="hint">{plural(others, 'more column')} not shown.</p>}
    </div>
  )
}

interface SavingProps {
  readonly answered: AnsweredRows
  readonly results: RowResults
}

const Saving = ({ answered: { form, table, blob }, results }: SavingProps) => (
  <span class="tools">
    <button
      type="button"
      class="small quiet"
      onClick={async () => saveBlob(await csvOf(table, results.columns), `${form.id}.csv`)}
    >
      CSV
    </button>
    <button type="button" class="small quiet" onClick={() => saveBlob(blob, `${form.id}.json`)}>
      JSON
    </button>
  </span>
)

/** The results by the rows of the table; `sentRow`: the place of a row among those sent, or -1. */
interface Placed extends RowResults {
  sentRow(row: number): number
  readonly sent: number
  readonly rowOf: (sent: number) => number
}

/** The results of an answer; null: it is that to another table. */
function placed(answered: AnsweredRows, table: Table): Placed | null {
  const { table: sent } = answered
  if (sent.given !== table) return null
  const places = new Int32Array(table.rows).fill(-1)
  for (let row = 0; row < sent.rows; row++) places[sent.rowOf(row)] = row
  return { ...rowResults(answered), sentRow: (row) => places[row], sent: sent.rows, rowOf: sent.rowOf }
}

/** All rows, the flagged ones first if there are results. */
function orderOf(rows: number, results: Placed | null): Uint32Array {
  if (results === null) return Uint32Array.from({ length: rows }, (_, row) => row)
  const { sentRow, isFlagged, score } = results
  const isOut = (row: number) => sentRow(row) === -1
  return flaggedFirst(
    rows,
    (row) => !isOut(row) && isFlagged(sentRow(row)),
    score && ((row) => (isOut(row) ? Number.NEGATIVE_INFINITY : score(sentRow(row)))),
  )
}

const resultColumns = (results: Placed | null): TableColumn[] =>
  results === null
    ? []
    : results.columns.map(({ name, isNumber, text, raw, mark }) => {
        const ofSent =
          <Value,>(of: (row: number) => Value, none: Value) =>
          (row: number) => {
            const sent = results.sentRow(row)
            return sent === -1 ? none : of(sent)
          }
        return {
          name,
          isNumber,
          isResult: true,
          text: ofSent(text, 'left out'),
          raw: ofSent<string | number | boolean>(raw, ''),
          ...(mark && { mark: ofSent(mark, null) }),
        }
      })

/** The cell at fault in each row of the table, or null. */
function flagsOf(results: Placed | null, faults: readonly CellFault[]): (row: number) => Flag | null {
  const refused = new Map(faults.map((fault) => [fault.row, fault]))
  return (row) => {
    const sent = results?.sentRow(row) ?? -1
    return refused.get(row) ?? (sent === -1 ? null : (results?.flagOf?.(sent) ?? null))
  }
}

/** The columns of the table with their places, without the one that names the rows. */
function ownColumns(mapped: Mapped, flagOf: (row: number) => Flag | null) {
  const { table, mapping } = mapped
  return table.columns.flatMap((_, at) =>
    at === mapping.names ? [] : [{ ...columnOf(mapped, at), mark: markOf(mapped, at, flagOf), at }],
  )
}

function columnOf(mapped: Mapped, at: number): TableColumn {
  const column = mapped.table.columns[at]
  const { names, fields } = mapped.mapping
  // An id or a year is no amount.
  const isPlain = at === names || at === fields.dates
  return {
    name: column.name,
    isNumber: isNumeric(column) || isDate(column),
    text: (row) => (isPlain ? String(cellOf(column, row)) : cellText(column, row)),
    raw: (row) => cellOf(column, row),
    controls: <HeadingControls {...mapped} at={at} />,
    controlsPx: controlsWidth(mapped, at),
  }
}

/** The width of the controls of a heading, by their longest text. */
function controlsWidth({ spec, table, mapping }: Mapped, at: number): number {
  const role = roleOf(spec, mapping, at)
  const [, label] = rolesFor(spec, table, mapping, at).find(([one]) => one === role) ?? ['', '']
  return Math.max(mapping.units[role] === 'date' ? 165 : 104, label.length * 7.6 + 56)
}

/** The names of the rows: their column, or their numbers. */
function namesColumn(mapped: Mapped): TableColumn {
  const { table, mapping } = mapped
  if (mapping.names !== -1) return columnOf(mapped, mapping.names)
  return { name: 'Row', text: (row) => numberOf(table, row) }
}

/** A cell as it was read. */
function cellText(column: Column, row: number): string {
  const value = cellOf(column, row)
  if (typeof value === 'string' || isDate(column)) return String(value)
  return column.isPercent ? `${grouped(Number((value * 100).toPrecision(12)))} %` : grouped(value)
}

/** Why a cell is marked: it is at fault in the answer, or it has no value that the request needs. */
function markOf({ spec, table, mapping }: Mapped, at: number, flagOf: (row: number) => Flag | null) {
  const column = table.columns[at]
  const role = roleOf(spec, mapping, at)
  const isUsed = role !== UNUSED
  const used = role === USED ? mapping.used.indexOf(at) : -1
  // Of two samples side by side, the shorter one ends with empty cells.
  const areBeside = spec.kind === 'samples' && mapping.fields.sample === undefined
  const hasGaps = column.gaps + column.oddCount > 0 && !areBeside
  return (row: number): string | null => {
    if (!isUsed) return null
    if (hasGaps && Number.isNaN(column.values[row])) return 'no value'
    const flag = flagOf(row)
    return flag !== null && (flag.field === role || flag.place === used) ? flag.reason : null
  }
}
