/** The command and the HTTP request that do an act. */
import type { ActForm } from '../../derive/forms.ts'

/** The values of the fields of a request. */
export type ActValues = Readonly<Record<string, unknown>>

/** `quantd admin grant ada@example.org 5000 --reference 'invoice 2041'`; null: the command line has no such act. */
export function commandOf({ fields, flags = {}, verb, words }: ActForm, values: ActValues): string | null {
  if (verb === null) return null
  const names = words ?? fields.filter(({ required }) => required).map(({ name }) => name)
  const positional = names.filter((name) => name in values).map((name) => quoted(values[name]))
  const options = fields
    .map(({ name }) => name)
    // Only requests over HTTP have a reason; for a command the audit names the login.
    .filter((name) => name in values && !names.includes(name) && name !== 'reason')
    .flatMap((name) => option(flags[name] ?? `--${name.replaceAll('_', '-')}`, values[name]))
  return ['quantd admin', verb, ...positional, ...options].join(' ')
}

function option(name: string, value: unknown): string[] {
  if (value === false) return []
  if (isNamed(value) && 'currency' in value) return [name, quoted(`${value.currency}=${value.amount}`)]
  if (isNamed(value))
    return Object.entries(value).flatMap(([of, one]) => [name, quoted(`${of}=${inOption(one)}`)])
  return value === true ? [name] : [name, value === null ? 'default' : quoted(value)]
}

/** Whether a value is an object, each of whose properties becomes an option. */
const isNamed = (value: unknown): value is ActValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a value in an option; limits are `requests an hour/requests a day`. */
const inOption = (value: unknown): unknown =>
  value === null ? 'default' : isNamed(value) ? `${value.hour}/${value.day ?? 'none'}` : value

function quoted(value: unknown): string {
  const text = Array.isArray(value) ? value.join(',') : String(value)
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

export const requestOf = ({ path }: Pick<ActForm, 'path'>, values: ActValues, origin: string): string =>
  [
    `curl ${origin}${path} -H "Authorization: Bearer $TOKEN"`,
    `  -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(values))}`,
  ].join(' \\\n')
