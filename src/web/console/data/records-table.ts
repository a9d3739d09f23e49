/** The table of an operation that takes a list of objects: each row is an object, and each column one of its fields. */
import type { Form, FormField } from '../../../derive/forms.ts'
import type { Choice } from './headings.ts'
import type { TableSpec } from './mapping.ts'

export function recordsTable({ fields }: Form): TableSpec {
  const { name: field, items } = fields.find(({ kind }) => kind === 'records')!
  return {
    kind: 'records',
    field,
    fields: items.map(({ name }) => name),
    needed: items.filter(({ required }) => required).map(({ name }) => name),
    choices: Object.fromEntries(items.filter(({ kind }) => kind === 'choice').map(choicesOf)),
  }
}

/** In a list of objects, fields with choices are texts. */
const choicesOf = ({ name, choices }: FormField): [string, Choice[]] => [name, choices.map(String)]
