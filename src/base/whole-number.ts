/** Reads whole numbers that people write in settings and on command lines. */

/** @returns null if the text has anything but digits, or the number is outside the bounds */
export function wholeNumber(text: string, low: number, high: number): number | null {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= low && value <= high ? value : null
}
