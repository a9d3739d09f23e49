/** Lines of CSV by RFC 4180: fields with commas, quotes or line ends are quoted, quotes are doubled, lines end in CRLF. */

export type CsvValue = string | number | boolean | null

export const csvRow = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`

function field(value: CsvValue): string {
  const text = typeof value === 'string' ? value.replace(FORMULA, "$1'") : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A spreadsheet runs a cell that begins so as a formula, in some languages with wide signs too, and where its separator is
 * the semicolon a field is several cells; callers choose addresses, names and request ids.
 */
const FORMULA = /(^|;)(?=[=+\-@＝＋－＠\t\r])/g
