/** Hints for values that are nearly valid: a misspelt word, or a percentage as text. */
import { nearest } from './nearest.ts'

const MAX_TEXT = 40
const PERCENTAGE = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*%\s*$/

/** `must be one of: call, put`, and the word that is meant: `"CALL"`, `"c"` and `"cal"` mean `call`. */
export function mustBeOneOf(words: readonly unknown[], value: unknown): string {
  const known = words.filter((word) => typeof word === 'string')
  const meant = typeof value === 'string' && value !== '' ? wordMeant(value.slice(0, MAX_TEXT), known) : null
  return `must be one of: ${words.join(', ')}${meant === null ? '' : `; did you mean "${meant}"?`}`
}

/** The only word that begins with the typed text, else the nearest one. */
function wordMeant(typed: string, words: readonly string[]): string | null {
  const begun = words.filter((word) => word.toLowerCase().startsWith(typed.trim().toLowerCase()))
  return begun.length === 1 ? begun[0] : nearest(typed.trim(), words)
}

/** For a percentage in quotes, `: send 0.2 for "20%"`. */
export function percentageHint(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT) return ''
  const [text, digits] = PERCENTAGE.exec(value) ?? []
  // Rounded to 15 digits, 20.1/100 is 0.201.
  return text === undefined
    ? ''
    : `: send ${Number((Number(digits) / 100).toPrecision(15))} for "${text.trim()}"`
}
