/** The entries of an operation's form: the first ones, those with another table, and those of the body of a request. */
import type { Form, FormField } from '../../derive/forms.ts'
import type * as Ratings from './data/ratings.ts'
import { NO_TABLE, type TableEntry, type TableSpec } from './data/shapes.ts'
import type { Values } from './operation.ts'
import type * as TableTexts from './table-entry.ts'

export interface Entries {
  /** The text of each field. */
  readonly texts: Readonly<Record<string, string>>
  /** The fields that the person has set. */
  readonly own: readonly string[]
  readonly table: TableEntry
}

/** The parts of the script for tables; an operation without a table needs none. */
type Tables = Pick<typeof TableTexts, 'textEntry' | 'textOfExample'> & Pick<typeof Ratings, 'windowOf'>

/** The page of an operation on a table. */
interface PageOfTable {
  readonly form: Form
  readonly spec: TableSpec
  readonly tables: Tables
}

interface FirstValues {
  /** The values of a link, or null. */
  readonly given: Values | null
  /** The operation's sample. */
  readonly sample?: Values | undefined
  readonly tables?: Tables
}

/**
 * The first entries: the values of a link, else the operation's sample, which is longer than the example of the reference, else
 * that example.
 */
export function startEntries(
  form: Form,
  spec: TableSpec | null,
  { given, sample, tables }: FirstValues,
): Entries {
  if (spec?.kind === 'rows') return startRows(form, spec, given, tables!)
  const example: Values = given ?? {
    ...Object.fromEntries(form.fields.map(({ name, example }) => [name, example])),
    ...sample,
  }
  const texts = Object.fromEntries(
    form.fields.map((field) => [field.name, textFor(field, example[field.name] ?? null)]),
  )
  if (spec === null) return { texts, own: [], table: NO_TABLE }
  const { field = '', fields: [first] = [field] } = spec
  const long = given === null && first !== undefined && sample?.[first]
  const text = typeof long === 'string' ? long : tables!.textOfExample(spec, example)
  const table = tables!.textEntry(spec, text)
  const { order } = example
  // A link has the order of its ratings.
  const isOrdered = spec.kind === 'history' && given !== null && table.mapping && Array.isArray(order)
  const read = isOrdered ? { ...table, mapping: { ...table.mapping!, order, open: {} } } : table
  return withWindow({ spec, tables: tables! }, { texts, own: Object.keys(given ?? {}), table: read })
}

/** The entries with the window of a rating history, unless the person has set it. */
function withWindow({ spec, tables }: Omit<PageOfTable, 'form'>, entries: Entries): Entries {
  const {
    texts,
    own,
    table: { table, mapping },
  } = entries
  if (spec.kind !== 'history' || table === null || mapping === null) return entries
  const found = Object.entries(tables.windowOf(table, mapping))
  return {
    ...entries,
    texts: { ...texts, ...Object.fromEntries(found.filter(([name]) => !own.includes(name))) },
  }
}

/**
 * The entries after the table has changed: those set by hand stay, those of the example end with it. If the table is the body of a
 * request in a file, its other fields are set.
 */
export function withTable(
  page: PageOfTable,
  { texts, own, table: before }: Entries,
  table: TableEntry,
): Entries {
  const { form, spec } = page
  const isSameSource = table.text === before.text && table.file === before.file
  if (isSameSource || table.table === before.table) return withWindow(page, { texts, own, table })
  const given: Values = (table.file && table.table?.others) || {}
  const next = form.fields.map((field) => {
    const { name } = field
    if (name in given) return [name, textFor(field, given[name])]
    if (own.includes(name)) return [name, texts[name]]
    return [name, spec.kind !== 'rows' && field.kind === 'choice' ? textFor(field, null) : '']
  })
  const set = form.fields.map(({ name }) => name).filter((name) => name in given || own.includes(name))
  return withWindow(page, { texts: Object.fromEntries(next), own: set, table })
}

/** The entries of the body of a request; null where it has none of the fields. */
export const entriesOfBody = (form: Form, body: Values | null): Entries | null =>
  form.fields.some(({ name }) => Object.hasOwn(body ?? {}, name))
    ? startEntries(form, null, { given: body })
    : null

/** A field has one value for all rows if the link or example gives one; arrays are columns of the table. Defaults are entered. */
function startRows(
  form: Form,
  spec: TableSpec,
  given: Values | null,
  { textEntry, textOfExample }: Tables,
): Entries {
  const columns = (given?.columns ?? {}) as Values
  const scalar = ({ example, name }: FormField) => (given === null ? example : columns[name])
  const single = (value: unknown) => (Array.isArray(value) ? null : (value ?? null))
  return {
    own: [],
    texts: Object.fromEntries(
      form.fields.map((field) => [field.name, textFor(field, single(scalar(field)) ?? field.default)]),
    ),
    table: textEntry(spec, given === null ? spec.sample! : textOfExample(spec, given)),
  }
}

function textFor({ kind, choices, default: fallback }: FormField, value: unknown): string {
  const chosen = value ?? (kind === 'choice' ? (fallback ?? choices[0]) : null)
  if (chosen === null) return ''
  // The sample of a table is already a text.
  if (kind === 'vector' && Array.isArray(chosen)) return chosen.join(', ')
  if (kind === 'texts' && Array.isArray(chosen))
    return chosen.some((item) => /[,\n[]/.test(item)) ? JSON.stringify(chosen) : chosen.join(', ')
  return kind === 'json' ? JSON.stringify(chosen, null, 2) : String(chosen)
}
