/** CSV by RFC 4180: fields with commas, quotes or line ends are quoted, quotes are doubled, and no field is a formula. */

export type CsvValue = string | number | boolean | null

/** A line, which ends in CRLF. */
export const csvRow = (values: readonly CsvValue[]): string => `${values.map(csvField).join(',')}\r\n`

export function csvField(value: unknown): string {
  const text = typeof value === 'string' ? withoutFormula(value) : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Beginnings of cells that a spreadsheet runs as formulas, which callers and files could put into addresses, names and headings. The
 * full-width signs are for East Asian spreadsheets; where the separator is the semicolon, a field becomes several cells.
 */
const FORMULA = /(^|;)(?=[=+\-@＝＋－＠\t\r])/g
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** A number is no formula, although it may begin with a sign. */
const withoutFormula = (text: string): string => (NUMBER.test(text) ? text : text.replace(FORMULA, "$1'"))
