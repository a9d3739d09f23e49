/** Lists of numbers: ordinary or typed arrays. */

export type NumberArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array

export type Numbers = readonly number[] | NumberArray

/** The fields of a body, with typed arrays, also those in lists, turned into ordinary arrays, which JSON can hold. */
export const withPlainArrays = (body: unknown): object =>
  Object.fromEntries(Object.entries(body ?? {}).map(([name, value]) => [name, plainArray(value)]))

const plainArray = (value: unknown): unknown => {
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array)
  return Array.isArray(value) && ArrayBuffer.isView(value[0]) ? value.map(plainArray) : value
}
