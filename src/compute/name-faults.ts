/** The faults of a body's names: absent and unknown fields, of which no value is looked at. */
import Type, { type TObject } from 'typebox'
import { faultsOf } from '../body/faults.ts'
import type { Detail } from '../failure.ts'

/** Empty where all required fields are given, and no unknown one. */
export function nameFaults(schema: TObject, given: Readonly<Record<string, unknown>>): readonly Detail[] {
  const known = schema.properties
  const isKnown = Object.keys(given).every((name) => Object.hasOwn(known, name))
  if (isKnown && (schema.required ?? []).every((name) => Object.hasOwn(given, name))) return []
  const names = Object.fromEntries(Object.keys(known).map((name) => [name, Type.Unknown()]))
  return faultsOf({ ...schema, properties: names }, given)
}
