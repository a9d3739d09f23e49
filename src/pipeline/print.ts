/** A result → JSON text. */
import type { TObject, TSchema } from 'typebox'

/** Prints results of one schema; those that are nothing but numbers without what JSON.stringify looks into. */
export function printer(schema: TObject): (result: object) => string {
  const properties = Object.entries(schema.properties as Record<string, TSchema & { type?: string }>)
  const isNumeric = properties.every(
    ([name, { type }]) => (type === 'number' || type === 'integer') && schema.required?.includes(name),
  )
  if (!isNumeric) return JSON.stringify
  const names = properties.map(([name]) => name)
  const heads = names.map((name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  return (result) => {
    const numbers = result as Readonly<Record<string, number>>
    let text = ''
    for (let index = 0; index < names.length; index++) text += heads[index]! + numbers[names[index]!]
    return `${text}}`
  }
}
