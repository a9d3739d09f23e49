/** The page of a file that was dropped, pasted or chosen: its table, what it is recognised as, and the operations that take it. */
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { objectIn } from './body-drop.tsx'
import { carryTo } from './carried.ts'
import { guessed } from './data/guess.ts'
import type { TableSpec } from './data/mapping.ts'
import { type Offer, recognise } from './data/recognise.ts'
import { NO_TABLE, type TableEntry } from './data/shapes.ts'
import type { Table } from './data/table.ts'
import { FileButton } from './file-button.tsx'
import forms from './forms.js'
import { FILE_PAGE, handOver, takeHanded } from './handed-file.ts'
import { keepEntries, keptOf } from './kept-entries.ts'
import { clipped, labelOf } from './labels.ts'
import { LeftOutRows } from './left-out-rows.tsx'
import { addressOf } from './link.ts'
import { bytes } from './numbers.ts'
import type { Operation } from './operation.ts'
import { moduleOf } from './operations/index.ts'
import { pastedFile } from './sheet.tsx'
import { described, Reading, SheetChoice } from './sheet-source.tsx'
import { textEntry, textOfExample } from './table-entry.ts'
import { useDrop } from './use-drop.ts'
import { LONGEST_TEXT, useTableFile } from './use-table-file.ts'

/** A table of which no meaning is known yet. */
const PLAIN: TableSpec = { kind: 'rows', fields: [] }
/** The name under which the entry of the page is kept while the tab is open. */
const KEPT = 'file'
const MOST_COLUMNS = 12

/** Kinds of tables, their columns, and the operation whose invented sample is one of them. */
const KINDS = [
  ['An option chain', 'strike, expiry, price or volatility', 'models/variance-gamma/calibrate'],
  ['A credit portfolio', 'score or probability of default, and the outcome', 'ml/credit/validation'],
  ['A rating history', 'issuer, date, rating', 'ml/credit/rating-history'],
  ['A rating matrix', 'counts or shares of the moves between ratings', 'ml/credit/migration'],
  ['Observations', 'one case a row, its measures in columns', 'ml/preprocessing/outliers'],
] as const

interface FilePageProps {
  readonly operations: Readonly<Record<string, Operation>>
}

export function FilePage({ operations }: FilePageProps) {
  const { given, progress, take, takeText, again, stop } = useFile()
  const { file, table, error } = given
  return (
    <div class="file-page">
      <h1>{file?.name ?? (table === null ? 'Your file' : 'Pasted cells')}</h1>
      <p class="lead">
        {table === null
          ? 'Drop a file anywhere in the console, paste cells, or choose a file.'
          : `${described(table)}${file === null ? '' : ` · ${bytes(file.size)}`}`}
      </p>
      {error !== null && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {progress !== null && <Reading progress={progress} onCancel={stop} />}
      {table !== null && progress === null && (
        <>
          <SheetChoice table={table} onSheet={(sheet) => again({ types: {}, taken: [], sheet })} />
          <LeftOutRows table={table} where="" taken={given.taken} onTaken={(taken) => again({ taken })} />
          <Offers given={given} table={table} operations={operations} />
          <FirstRows table={table} />
        </>
      )}
      <p class="actions">
        <FileButton label={table === null ? 'Choose a file …' : 'Another file …'} onFile={take} />
      </p>
      {table === null && progress === null && (
        <>
          <textarea
            rows={6}
            aria-label="Cells"
            placeholder="Paste cells, or type one row per line"
            spellcheck={false}
            onChange={(event) => takeText(event.currentTarget.value)}
          />
          <Kinds operations={operations} onText={takeText} />
        </>
      )}
    </div>
  )
}

interface KindsProps extends FilePageProps {
  onText(text: string): void
}

/** The kinds of tables that are recognised; each opens an invented one, as if it were pasted. */
const Kinds = ({ operations, onText }: KindsProps) => (
  <section class="offers">
    <h2>Tables that are recognised, each with an example</h2>
    <ul class="inside">
      {KINDS.map(([name, columns, path]) => (
        <li>
          <button
            type="button"
            class="offer"
            onClick={() => onText(sampleOf(formAt(path)!, operations[moduleOf(path)]))}
          >
            <strong>{name}</strong>
            <span class="hint">{columns}</span>
          </button>
        </li>
      ))}
    </ul>
  </section>
)

/** The text of the table in an operation's sample. */
function sampleOf(form: Form, operation: Operation): string {
  const { sample = {} } = operation
  const text = Object.values(sample).find((value) => typeof value === 'string')
  return (text as string | undefined) ?? textOfExample(tableOf(form, operation), sample)
}

const formAt = (path: string) => forms.find((one) => one.path === `/quantlib/${path}`)

const tableOf = (form: Form, { table, tableOf }: Operation): TableSpec => table ?? tableOf!(form)

/** The entry of the page, and the functions that replace it. */
function useFile() {
  const [given, setGiven] = useState<TableEntry>(() => keptOf(KEPT)?.entries.table ?? NO_TABLE)
  const change = (table: TableEntry) => {
    if (table.worker !== given.worker) given.worker?.close()
    keepEntries(KEPT, { texts: {}, own: [], table }, FILE_PAGE)
    setGiven(table)
  }
  const { progress, take: read, stop } = useTableFile({ spec: PLAIN, given, change })
  const take = async (file: File) => {
    const request = await requestIn(file)
    if (request === null) return read(file)
    location.hash = request
  }
  const takeText = (text: string) =>
    text.length > LONGEST_TEXT ? read(pastedFile(text)) : change(textEntry(PLAIN, text))
  useDrop({ file: take, text: takeText })
  useLayoutEffect(() => {
    const { file, text } = takeHanded() ?? {}
    if (file) take(file)
    else if (text !== undefined) takeText(text)
  }, [])
  const again = (
    chosen: Partial<Pick<TableEntry, 'types' | 'taken'>> & { readonly sheet?: string | null },
  ) => {
    const { types = given.types, taken = given.taken, sheet = given.table?.sheet ?? null } = chosen
    if (given.file) read(given.file, { types, taken, sheet })
    else change(textEntry(PLAIN, given.text, { types, taken, before: given }))
  }
  return { given, progress, take, takeText, again, stop }
}

/** The address of the operation whose request is in a file, with its values, or null. */
async function requestIn(file: File): Promise<string | null> {
  const body = await objectIn(file)
  if (body === null) return null
  const values = (body.columns ?? body) as object
  const isRows = 'columns' in body
  const fits = ({ path, fields }: Form) =>
    path.endsWith('/columns') === isRows &&
    fields.some(({ required }) => required) &&
    fields.every(({ name, required }) => !required || name in values) &&
    Object.keys(values).every((name) => fields.some((field) => field.name === name))
  const found = forms.filter(fits)
  return found.length === 1 ? addressOf(found[0].path, body) : null
}

interface OffersProps extends FilePageProps {
  readonly given: TableEntry
  readonly table: Table
}

/** The readings of the table, each with the operations that take it. */
function Offers({ given, table, operations }: OffersProps) {
  const readings = useMemo(() => recognise(table), [table])
  const choose = ({ path, values }: Offer) => {
    if (values !== undefined) return carryTo(`#/${path}`, { given: values, source: null, fields: null })
    const { file, text, types, taken } = given
    const chosen = { types, taken, sheet: table.sheet ?? null, isConfirmed: true }
    handOver({ ...(file ? { file } : { text }), ...chosen }, `#/${path}`)
  }
  if (readings.length === 0)
    return (
      <p class="callout">
        No operation takes this table: it has neither ratings nor more than two rows of numbers.
      </p>
    )
  return (
    <div class="offers" role="group" aria-label="What this table is for">
      {readings.map(({ what, offers }, i) => (
        <section>
          <h2>{i === 0 ? `This looks like ${what}` : `Or take it as ${what}`}</h2>
          <ul class="inside">
            {offers.map((offer) => (
              <OfferCard offer={offer} table={table} operations={operations} onChoose={choose} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

interface OfferCardProps extends FilePageProps {
  readonly offer: Offer
  readonly table: Table
  onChoose(offer: Offer): void
}

function OfferCard({ offer, table, operations, onChoose }: OfferCardProps) {
  const { path, gives, values } = offer
  const form = formAt(path)
  if (form === undefined) return null
  const uses = values === undefined ? usedColumns(tableOf(form, operations[moduleOf(path)]), table) : ''
  return (
    <li>
      <button type="button" class="offer" onClick={() => onChoose(offer)}>
        <strong>{form.title.replace(/ of columns$/, '')}</strong>
        <span>{gives}</span>
        {uses !== '' && <span class="hint">{uses}</span>}
      </button>
    </li>
  )
}

/** The columns that an operation would use, and those of which one is asked. */
function usedColumns(spec: TableSpec, table: Table): string {
  const { fields, used, isHistory, open } = guessed(spec, table)
  const name = (i: number) => clipped(table.columns[i].name, 24)
  if (spec.kind === 'matrix' || (spec.kind === 'transitions' && !isHistory))
    return `Columns: ${used.slice(0, 6).map(name).join(', ')}${used.length > 6 ? ', …' : ''}`
  return [
    ...Object.entries(fields).map(([field, i]) => `${labelOf(field)}: ${name(i)}`),
    ...Object.entries(open.columns ?? {}).map(
      ([field, places]) => `${labelOf(field)}: asked, ${places.map(name).join(' or ')}`,
    ),
  ].join(' · ')
}

/** The first rows of the table as they were read. */
const FirstRows = ({ table: { columns, head } }: { readonly table: Table }) => (
  <div class="scroll" tabindex={0} role="region" aria-label="First rows">
    <table>
      <thead>
        <tr>
          {columns.slice(0, MOST_COLUMNS).map(({ name }) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {head.map((cells) => (
          <tr>
            {cells.slice(0, MOST_COLUMNS).map((cell) => (
              <td>{clipped(cell, 40)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
