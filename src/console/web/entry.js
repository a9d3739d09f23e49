/** What a person types or pastes → JSON values. What is no number stays text, for the service to name the fault. */

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

export function numberFrom(text) {
  const trimmed = text.trim()
  return NUMBER.test(trimmed) && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}

/** JSON, or numbers set apart by commas, semicolons, blanks or lines. */
export function vectorFrom(text) {
  if (text.trim().startsWith('[')) return jsonFrom(text)
  return cells(text.replace(/\s*\n\s*/g, '\n').trim(), /[\n,;\s]+/).map(numberFrom)
}

/** JSON, or one row a line as spreadsheets and CSV files have it; a first line of headings is left out. */
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

/** A trailing separator ends the last cell, it does not begin another. */
const cells = (text, separator) => {
  const found = text.split(separator)
  return found.length > 1 && found.at(-1).trim() === '' ? found.slice(0, -1) : found
}

/** The way round: as it is shown in a text area. */
export function matrixText(rows) {
  return rows.map((row) => row.join(', ')).join('\n')
}
