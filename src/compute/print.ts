/** Prints results as JSON. */
import type { TObject, TSchema } from 'typebox'

type Property = TSchema & { readonly type?: string; readonly enum?: readonly unknown[] }

/** Prints results of one schema; a result of numbers and enumerated words alone skips the checks of JSON.stringify. */
export function printer(schema: TObject): (result: object) => string {
  const properties = Object.entries(schema.properties as Record<string, Property>)
  const isPlain = properties.every(
    ([name, property]) => (isNumber(property) || isWord(property)) && schema.required?.includes(name),
  )
  const last = properties.at(-1)
  if (!isPlain || last === undefined) return JSON.stringify
  const names = properties.map(([name]) => name)
  const before = properties.map(([name, property], index) => {
    const opening = index === 0 ? '{' : `${quote(properties[index - 1][1])},`
    return `${opening}${JSON.stringify(name)}:${quote(property)}`
  })
  const end = `${quote(last[1])}}`
  return (result) => {
    const values = result as Readonly<Record<string, number | string>>
    let text = ''
    for (let index = 0; index < names.length; index++) text += before[index] + values[names[index]]
    return text + end
  }
}

const quote = (property: Property): string => (isWord(property) ? '"' : '')

const isNumber = ({ type }: Property): boolean => type === 'number' || type === 'integer'

/** One of several words that need no escape in JSON. */
const isWord = (property: Property): boolean =>
  property.enum?.every((word) => typeof word === 'string' && JSON.stringify(word) === `"${word}"`) ?? false
