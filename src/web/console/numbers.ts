/** Formats numbers for people, and reads those that they enter. */
// @ts-nocheck: to be converted

/** A number with thousands separators. Not by Intl, whose first use takes a browser about 10 ms of the start. */
function grouped(value) {
  const [units, decimals] = String(value).split('.')
  const text = units.replace(/\B(?=(\d{3})+$)/g, ',')
  return decimals === undefined ? text : `${text}.${decimals}`
}

/** A number with all digits if it is whole, else with at most six significant digits. */
export function short(value) {
  if (value === 0 || !Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (Number.isInteger(value) && size < 1e12) return grouped(value)
  if (size >= 1e9 || size < 1e-4) return scientific(value)
  return grouped(Number(value.toPrecision(6)))
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** A text such as `1.5 × 10⁻⁷`. */
function scientific(value, digits = 6) {
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e')
  return `${Number(mantissa)} × ${powerOfTen(Number(exponent))}`
}

export const powerOfTen = (exponent) =>
  `10${exponent < 0 ? '⁻' : ''}${[...String(Math.abs(exponent))].map((digit) => superscripts[digit]).join('')}`

/** A short text for axes and legends. `least`: the least number of significant digits. */
export const brief = (value, least = 0) => {
  if (value === null || value === undefined) return '–'
  const digits = (usual) => Math.min(15, Math.max(usual, least))
  return Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-4)
    ? scientific(value, digits(3))
    : grouped(Number(value.toPrecision(digits(5))))
}

export const whole = (value) => grouped(Number(value.toFixed(3)))

export const plural = (count, word) => `${whole(count)} ${word}${count === 1 ? '' : 's'}`

export const bytes = (count) =>
  count < 1e6 ? `${Math.max(1, Math.round(count / 1e3))} kB` : `${(count / 1e6).toFixed(1)} MB`

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

/** Whether a text is a number in decimal notation; spaces around it are allowed. */
export const isNumber = (text) => NUMBER.test(text)

/** A hundredth of a decimal: 12.3 gives 0.123, where division gives 0.12300000000000001. */
export const hundredth = (value) => {
  const [digits, exponent = 0] = String(value).split('e')
  return Number(`${digits}e${exponent - 2}`)
}

/**
 * The number in a text, or the text itself if it is none, so that the service reports the fault. `isWhole`: a text with a point is
 * none, because the point may separate thousands, as in `1.000`.
 */
export const numberFrom = (text, isWhole = false) =>
  isNumber(text) && Number.isFinite(Number(text)) && !(isWhole && text.includes('.'))
    ? Number(text)
    : text.trim()
