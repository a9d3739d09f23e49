/** The arguments of a tool call as the body of the request that it stands for. */

declare global {
  interface JSON {
    /** A value that JSON.stringify prints as `text`. */
    rawJSON(text: string): object
  }
}

/** Finds, in the text of a message, numbers that JSON.stringify may change; a match inside of a string does no harm. */
const SPECIAL = /-0|[eE]\+?\d{3}|\d{300}/

export const hasSpecialNumbers = (message: Buffer): boolean => SPECIAL.test(message.toString('latin1'))

/**
 * Numbers beyond the range of a double stay beyond it, so that they are refused by their rule, and not as null.
 * @param special whether there may be such numbers, or a negative zero; looking for them takes three times as long
 */
export const argumentBytes = (given: unknown, special: boolean): Buffer =>
  Buffer.from(special ? JSON.stringify(given ?? {}, kept) : JSON.stringify(given ?? {}))

const kept = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'number') return value
  if (Object.is(value, -0)) return JSON.rawJSON('-0')
  return Number.isFinite(value) ? value : JSON.rawJSON(value > 0 ? '1e999' : '-1e999')
}
