/** The operations that can take over the inputs of a page, by the declarations of their fields. */
import type { Form, FormField } from '../../derive/forms.ts'
import type { Carried, TableSource } from './carried.ts'
import type { TableEntry, TableSpec } from './data/shapes.ts'
import { isOfAmounts } from './entered.ts'
import { labelOf } from './labels.ts'
import { readValues } from './link.ts'
import type { Operation, Values } from './operation.ts'

/** The inputs of a page, and what was computed of them. */
export interface Departure {
  readonly form: Form
  readonly spec: TableSpec | null
  /** The entered values of the fields that are not in the table. */
  readonly sent: Values
  /** The data of the answer or of the preview; null: there is none. */
  readonly data: Values | null
  readonly table: TableEntry
  /** Whether the entries are those of the example. */
  readonly isExample: boolean
}

export interface Journey {
  readonly form: Form
  /** null: the page has an example of its own. */
  readonly load: Carried | null
}

/** A page is offered that takes over so many fields for each that it lacks. */
const TAKEN_OF_MISSING = 3

const isRows = ({ path }: Form): boolean => path.endsWith('/columns')

/**
 * The pages that lack few of their required fields, those that lack none first.
 * @param operationOf the module of an operation with a table, if it is loaded
 */
export const journeysFrom = (
  from: Departure,
  forms: readonly Form[],
  operationOf: (form: Form) => Operation | undefined,
): Journey[] =>
  forms
    .filter((form) => form.id !== from.form.id && isRows(form) === isRows(from.form))
    .map((form) => ({ form, ...takenOver(from, form, operationOf(form)) }))
    .filter(({ missing, taken, isWhole }) => isWhole || (taken > 0 && TAKEN_OF_MISSING * missing <= taken))
    .toSorted((a, b) => a.missing - b.missing)
    .map(({ form, load }) => ({ form, load }))

/** The kinds of tables of which the person can choose another column for a field that lacks one. */
const CHOSEN = ['columns', 'samples', 'matrix', 'transitions']

/** What a page takes over, how many fields these are, how many required ones it lacks, and whether its table is the whole one. */
function takenOver(from: Departure, form: Form, operation: Operation | undefined) {
  const spec = operation?.table ?? operation?.tableOf?.(form) ?? null
  const columns = columnsOf(form, spec)
  const fields = Object.fromEntries(
    columns.flatMap((field) => {
      const same = columnsOf(from.form, from.spec).find((one) => isSame(one, field))
      return same === undefined ? [] : [[field.name, same.name]]
    }),
  )
  const isWhole =
    spec !== null &&
    CHOSEN.includes(spec.kind) &&
    columnsOf(from.form, from.spec).some((one) => columns.some((field) => isAlike(one, field)))
  const given = valuesFor(from, form)
  const has = ({ name }: FormField) => name in given || name in fields || (isWhole && isIn(columns, name))
  const others = form.fields.filter(
    ({ name, kind }) => !isIn(columns, name) && (kind !== 'records' || spec === null),
  )
  const needed = [...others, ...columns]
  const isTable = isWhole || Object.keys(fields).length > 0
  const load: Carried = {
    given: isRows(form) ? { columns: given } : given,
    source: isTable ? sourceOf(from.table) : null,
    fields,
  }
  return {
    missing: needed.filter((field) => field.required && !has(field)).length,
    taken: needed.filter(has).length,
    isWhole,
    load: from.isExample && isTable ? null : load,
  }
}

const isIn = (fields: readonly FormField[], wanted: string): boolean =>
  fields.some(({ name }) => name === wanted)

/** The fields that are columns of the table, or the field that is the table. */
function columnsOf({ fields: all }: Form, spec: TableSpec | null): readonly FormField[] {
  if (spec === null) return []
  const { kind, field, fields = [] } = spec
  if (kind === 'records') return all.find(({ name }) => name === field)?.items ?? []
  return all.filter(({ name }) => name === field || fields.includes(name))
}

/** What a description says after the unit. */
const note = ({ description }: FormField): string => description.split(/;\s*/).slice(1).join('; ')

/** Whether two fields are declared with the same meaning: by one name, or by one label and the same words. */
export const isSame = (a: FormField, b: FormField): boolean =>
  a.kind === b.kind &&
  String(a.choices) === String(b.choices) &&
  (a.name === b.name || (labelOf(a.name) === labelOf(b.name) && note(a) === note(b)))

/** Whether two fields mean the same, perhaps of another sample: `actual_y_true` has labels as `y_true` has. */
const isAlike = (a: FormField, b: FormField): boolean => {
  const bare = ({ name }: FormField) => name.replace(/^(expected|actual)_/, '')
  return isSame(a, b) || (a.kind === b.kind && bare(a) === bare(b))
}

/** The values of the fields of another page: what was entered, and for required fields what was computed. */
function valuesFor({ form, sent, data }: Departure, { fields }: Form): Values {
  const isAmount = isOfAmounts(sent as Record<string, string>) && !isIn(fields, 'model')
  const found = fields.flatMap(({ name, required }): [string, unknown][] => {
    const field = fields.find((one) => one.name === name)!
    const same = form.fields.find((one) => isSame(one, field) && one.name in sent)
    if (isAmount && name === 'volatility') return []
    if (same !== undefined) return [[name, sent[same.name]]]
    const computed = required ? (data?.[name] ?? data?.[`implied_${name}`]) : undefined
    return computed === undefined ? [] : [[name, computed]]
  })
  return readValues({ fields }, Object.fromEntries(found)).values
}

/** A table as it can be read again; null: there is none. */
export const sourceOf = ({
  table,
  text,
  file,
  beside,
  types,
  taken,
  mapping,
}: TableEntry): TableSource | null =>
  table && {
    text,
    file,
    beside,
    types,
    taken,
    mapping,
    sheet: table.sheet ?? null,
    columns: table.columns.map(({ name }) => name),
  }
