/** Reads the body of a request that is an Arrow stream. */

import type { TObject } from 'typebox'
import { invalidInput } from '../../base/errors/requests.ts'
import { type Detail, Failure } from '../../base/failure.ts'
import { MAX_COLUMNS, MAX_DETAILS } from '../../base/limits/callers.ts'
import { readStream, type Stream } from '../../wire/arrow/read-stream.ts'
import { nameFaults } from '../body/faults.ts'
import { isObject, parse } from '../body/parse.ts'

interface ArrowBody {
  readonly stream: Stream
  /** The names of the columns. */
  readonly names: readonly string[]
  /** The fields in the metadata. */
  readonly scalars: Readonly<Record<string, unknown>>
}

/** Throws ArrowFault or Failure `invalid_input`. @param maxRows the rows allowed with so many columns */
export function readArrowBody(bytes: Uint8Array, maxRows: (columns: number) => number): ArrowBody {
  const stream = readStream(bytes, { columns: MAX_COLUMNS, rows: maxRows })
  return { stream, names: stream.fields.map(({ name }) => name), scalars: scalarsOf(stream) }
}

/** The scalars in the metadata of the schema. Throws Failure where it is not a JSON object. */
function scalarsOf({ metadata }: Stream): Readonly<Record<string, unknown>> {
  if (metadata === null) return {}
  const value = parsedMetadata(metadata)
  if (isObject(value)) return value
  throw notAnObject()
}

function parsedMetadata(text: string): unknown {
  try {
    return parse(Buffer.from(text))
  } catch (error) {
    if (error instanceof Failure) throw notAnObject()
    throw error
  }
}

const notAnObject = () =>
  invalidInput([{ path: '/metadata/quantd', message: 'must be a JSON object of scalars' }])

/** Checks the names of columns and scalars against the schema of an operation. */
export function namesAtFault({ names, scalars }: ArrowBody, schema: TObject): readonly Detail[] {
  const twice = names.find((name) => Object.hasOwn(scalars, name))
  if (twice !== undefined)
    return [{ path: `/${twice}`, message: 'is given twice: in the columns and in the metadata' }]
  const isKnown = (name: string) => Object.hasOwn(schema.properties, name)
  const unknown = names.filter((name) => !isKnown(name)).slice(0, MAX_DETAILS)
  const columns = [...names.filter(isKnown), ...unknown].map((name) => [name, null])
  return nameFaults(schema, { ...scalars, ...Object.fromEntries(columns) })
}
