/** The command and the HTTP request that do an act. */
// @ts-nocheck: to be converted

/** `quantd admin grant ada@example.org 5000 --reference 'invoice 2041'`; null: the command line has no such act. */
export function commandOf({ fields, flags = {}, verb, words }, values) {
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

function option(name, value) {
  if (value === false) return []
  if (isNamed(value))
    return Object.entries(value).flatMap(([of, one]) => [name, quoted(`${of}=${inOption(one)}`)])
  return value === true ? [name] : [name, value === null ? 'default' : quoted(value)]
}

/** Whether a value is an object, each of whose properties becomes an option. */
const isNamed = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a value in an option; limits are `requests an hour/requests a day`. */
const inOption = (value) =>
  value === null ? 'default' : isNamed(value) ? `${value.hour}/${value.day ?? 'none'}` : value

function quoted(value) {
  const text = Array.isArray(value) ? value.join(',') : String(value)
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

export const requestOf = ({ path }, values, origin) =>
  [
    `curl ${origin}${path} -H "Authorization: Bearer $TOKEN"`,
    `  -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(values))}`,
  ].join(' \\\n')
