/** Lines of CSV by RFC 4180: fields with commas, quotes or line ends are quoted, quotes are doubled, lines end in CRLF. */

export type CsvValue = string | number | boolean | null

export const csvRow = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`

function field(value: CsvValue): string {
  const text = typeof value === 'string' ? value.replace(FORMULA, "$1'") : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Beginnings of cells that a spreadsheet runs as formulas, which callers could put into addresses, names and request ids. The
 * full-width signs are for East Asian spreadsheets; where the separator is the semicolon, a field becomes several cells.
 */
const FORMULA = /(^|;)(?=[=+\-@＝＋－＠\t\r])/g
