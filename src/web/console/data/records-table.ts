/** The table of an operation that takes a list of objects: each row is an object, and each column one of its fields. */
// @ts-nocheck: to be converted
export function recordsTable({ fields }) {
  const list = fields.find(({ kind }) => kind === 'records')
  return {
    kind: 'records',
    field: list.name,
    fields: list.items.map(({ name }) => name),
    needed: list.items.filter(({ required }) => required).map(({ name }) => name),
    choices: Object.fromEntries(
      list.items.filter(({ kind }) => kind === 'choice').map(({ name, choices }) => [name, choices]),
    ),
  }
}
