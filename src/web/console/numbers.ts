/** Formats numbers for people, and reads those that they enter. */

/** A number as people read it, with the sign − in place of the hyphen that files and fields have. */
const withMinus = (text: string): string => text.replaceAll('-', '−')

/** A number with all its digits; one that is whole also has thousands separators. */
export const exact = (value: number): string =>
  Number.isSafeInteger(value) ? grouped(value) : withMinus(String(value))

/** A number with thousands separators and all its digits. Not by Intl, whose first use takes a browser about 10 ms of the start. */
export function grouped(value: number): string {
  const [units, decimals] = withMinus(String(value)).split('.')
  const text = units.replace(/\B(?=(\d{3})+$)/g, ',')
  return decimals === undefined ? text : `${text}.${decimals}`
}

/** A number with all digits if it is whole, else with at most six significant digits. */
export function short(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return withMinus(String(value))
  const size = Math.abs(value)
  if (Number.isInteger(value) && size < 1e12) return grouped(value)
  if (size >= 1e9 || size < 1e-4) return scientific(value)
  return grouped(Number(value.toPrecision(6)))
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** A text such as `1.5 × 10⁻⁷`. */
function scientific(value: number, digits = 6): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e')
  return `${withMinus(String(Number(mantissa)))} × ${powerOfTen(Number(exponent))}`
}

export const powerOfTen = (exponent: number): string =>
  `10${exponent < 0 ? '⁻' : ''}${[...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)]).join('')}`

/** A short text for axes and legends. `least`: the least number of significant digits. */
export const brief = (value: number | null | undefined, least = 0): string => {
  if (value === null || value === undefined) return '–'
  const digits = (usual: number) => Math.min(15, Math.max(usual, least))
  return Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-4)
    ? scientific(value, digits(3))
    : grouped(Number(value.toPrecision(digits(5))))
}

export const whole = (value: number): string => grouped(Number(value.toFixed(3)))

export const plural = (count: number, word: string): string =>
  `${whole(count)} ${word}${count === 1 ? '' : 's'}`

export const bytes = (count: number): string =>
  count < 1e6 ? `${Math.max(1, Math.round(count / 1e3))} kB` : `${(count / 1e6).toFixed(1)} MB`

const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i

/** Whether a text is a number in decimal notation; spaces around it are allowed. */
export const isNumber = (text: string): boolean => NUMBER.test(text)

/** A hundredth of a decimal: 12.3 gives 0.123, where division gives 0.12300000000000001. */
export const hundredth = (value: number): number => {
  const [digits, exponent = 0] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) - 2}`)
}

/**
 * The number in a text, or the text itself if it is none, so that the service reports the fault. `isWhole`: a text with a point is
 * none, because the point may separate thousands, as in `1.000`.
 */
export const numberFrom = (text: string, isWhole = false): number | string =>
  isNumber(text) && Number.isFinite(Number(text)) && !(isWhole && text.includes('.'))
    ? Number(text)
    : text.trim()
