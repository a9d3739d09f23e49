/** The fields of a request that hold one number each, set all at once. */
import type { TObject, TSchema } from 'typebox'

export interface NumberFields {
  readonly names: readonly string[]
  /** Puts the numbers that begin at `from` into the fields, in the order of their names. */
  set(input: object, numbers: Float64Array, from: number): void
}

/** Compiled, as the schemas are: to store under a name that varies takes eight times as long. */
export function numberFields(schema: TObject): NumberFields {
  const properties = Object.entries(schema.properties as Record<string, TSchema & { type?: string }>)
  const names = properties
    .filter(([, { type }]) => type === 'number' || type === 'integer')
    .map(([name]) => name)
  const stores = names.map((name, index) => `input[${JSON.stringify(name)}] = numbers[from + ${index}]`)
  const set = new Function('input', 'numbers', 'from', stores.join('\n')) as NumberFields['set']
  return { names, set }
}
