/** The entries of an operation's form: the first ones, those with another table, and those of the body of a request. */
// @ts-nocheck: to be converted
/**
 * The first entries: the values of a link, else the operation's sample, which is longer than the example of the reference, else
 * that example. `tables`: a module with the exports of table-page.ts, if the operation has a table.
 */
export function startEntries(form, spec, { given, sample, tables }) {
  if (spec?.kind === 'rows') return startRows(form, spec, given, tables)
  const example = given ?? {
    ...Object.fromEntries(form.fields.map(({ name, example }) => [name, example])),
    ...sample,
  }
  const texts = Object.fromEntries(
    form.fields.map((field) => [field.name, textFor(field, example[field.name] ?? null)]),
  )
  if (spec === null) return { texts, own: [], table: {} }
  const long = given === null && sample?.[(spec.fields ?? [spec.field])[0]]
  const text = typeof long === 'string' ? long : tables.textOfExample(spec, example)
  return { texts, own: [], table: tables.textEntry(spec, text) }
}

/**
 * The entries after the table has changed: those set by hand stay, but not the example's values of fields for its rows. If the
 * table is the body of a request in a file, its other fields are set.
 */
export function withTable(form, spec, { texts, own, table: before }, table) {
  if (table.table === before.table) return { texts, own, table }
  const given = (table.file && table.table?.others) || {}
  const isForgotten = (name) => spec.kind === 'rows' && spec.fields.includes(name) && !own.includes(name)
  const next = form.fields.map((field) => {
    const { name } = field
    if (name in given) return [name, textFor(field, given[name])]
    return [name, isForgotten(name) ? '' : texts[name]]
  })
  const set = form.fields.map(({ name }) => name).filter((name) => name in given || own.includes(name))
  return { texts: Object.fromEntries(next), own: set, table }
}

/** The entries of the body of a request; null where it has none of the fields. */
export const entriesOfBody = (form, body) =>
  form.fields.some(({ name }) => Object.hasOwn(body ?? {}, name))
    ? startEntries(form, null, { given: body })
    : null

/** A field has one value for all rows if the link or example gives one; arrays are columns of the table. Defaults are entered. */
function startRows(form, spec, given, { textEntry, textOfExample }) {
  const scalar = ({ example, name }) => (given === null ? example : given.columns?.[name])
  const single = (value) => (Array.isArray(value) ? null : (value ?? null))
  return {
    own: [],
    texts: Object.fromEntries(
      form.fields.map((field) => [field.name, textFor(field, single(scalar(field)) ?? field.default)]),
    ),
    table: textEntry(spec, given === null ? spec.sample : textOfExample(spec, given)),
  }
}

function textFor({ kind, choices, default: fallback }, value) {
  const chosen = value ?? (kind === 'choice' ? (fallback ?? choices[0]) : null)
  if (chosen === null) return ''
  // The sample of a table is already a text.
  if (kind === 'vector' && typeof chosen !== 'string') return chosen.join(', ')
  return kind === 'json' ? JSON.stringify(chosen, null, 2) : String(chosen)
}
