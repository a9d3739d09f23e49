/** Typed or pasted text → JSON values. Text that is not a number stays text, so that the service reports the fault. */

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

export function numberFrom(text) {
  const trimmed = text.trim()
  return NUMBER.test(trimmed) && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}

/** JSON, or numbers separated by commas, semicolons, spaces or line breaks. */
export function vectorFrom(text) {
  if (text.trim().startsWith('[')) return jsonFrom(text)
  return cells(text.replace(/\s*\n\s*/g, '\n').trim(), /[\n,;\s]+/).map(numberFrom)
}

/** JSON, or one row per line as in spreadsheets and CSV files; a heading line is skipped. */
export function matrixFrom(text) {
  if (text.trim().startsWith('[')) return jsonFrom(text)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const separator = [';', '\t', ','].find((one) => text.includes(one)) ?? /\s+/
  const rows = lines.map((line) => cells(line.trim(), separator).map(numberFrom))
  const isHeading = rows.length > 1 && rows[0].every((cell) => typeof cell === 'string')
  return isHeading ? rows.slice(1) : rows
}

export function jsonFrom(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A trailing separator ends the last cell and does not start another. */
const cells = (text, separator) => {
  const found = text.split(separator)
  return found.length > 1 && found.at(-1).trim() === '' ? found.slice(0, -1) : found
}

/** The inverse: rows as text for a text area. */
export function matrixText(rows) {
  return rows.map((row) => row.join(', ')).join('\n')
}
