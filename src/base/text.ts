/** Reads JSON and whole numbers from texts that people, callers or programs write, and writes counts. */

/** The value of a JSON text; undefined: the text is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @returns null if the text has anything but digits, or the number is outside the bounds */
export function wholeNumber(text: string, low: number, high: number): number | null {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= low && value <= high ? value : null
}

/** A number with its thousands apart, for sentences that only people read. */
export const grouped = (count: number): string => count.toLocaleString('en-GB')

/** As plural, with the thousands apart. */
export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`

/** A count with its noun, in English. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
