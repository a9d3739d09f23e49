/** The arguments of a tool call as the body of the request that it stands for. */

declare global {
  interface JSON {
    /** A value that JSON.stringify prints as `text`. */
    rawJSON(text: string): object
  }
}

/** Numbers beyond the range of a double stay beyond it, so that they are refused by their rule, and not as null. */
export function argumentBytes(given: unknown): Buffer {
  return Buffer.from(JSON.stringify(given ?? {}, special))
}

const special = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'number') return value
  if (Object.is(value, -0)) return JSON.rawJSON('-0')
  return Number.isFinite(value) ? value : JSON.rawJSON(value > 0 ? '1e999' : '-1e999')
}
