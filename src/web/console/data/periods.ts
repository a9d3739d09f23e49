/** Reads the periods that tables have as headings: years, half-years, quarters and days. */
import { dateText } from '../times.ts'
import { isDay } from './column-types.ts'

/** Half-years and quarters by their letters in English, German and French. */
const PARTS: readonly (readonly [letters: string, count: number])[] = [
  ['(?:H|HY|HJ|S|SEM|HALBJAHR|SEMESTRE)', 2],
  ['(?:Q|QTR|T|QUARTAL|TRIMESTRE)', 4],
]
/** As in 2020H1; H1 2020, Q3'20; 1H2020, 1. Hj. 2020, 3Q20. */
const FORMS = PARTS.map(([letters, count]) => ({
  count,
  forms: [
    `(?<year>(?:19|20)\\d\\d)[-_/ ]?${letters}[. ]?(?<part>[1-${count}])`,
    `${letters}[. ]?(?<part>[1-${count}])(?:[-_/ ]?(?<year>(?:19|20)\\d\\d)|[-_/ '’](?<short>\\d\\d))`,
    `(?<part>[1-${count}])[. ]*${letters}[-_/. '’]*(?:(?<year>(?:19|20)\\d\\d)|(?<short>\\d\\d))`,
  ].map((form) => new RegExp(`^${form}$`, 'i')),
}))

/** The year, the day, or the last day of the half-year or quarter that a text names; an empty text: it names none. */
export function periodIn(text: string): string {
  if (/^(19|20)\d\d$/.test(text) || isDay(text)) return text
  for (const { count, forms } of FORMS)
    for (const form of forms) {
      const { year, short, part } = form.exec(text)?.groups ?? {}
      if (part === undefined) continue
      const end = Date.UTC(Number(year ?? `20${short}`), (Number(part) * 12) / count, 0)
      return dateText(end)
    }
  return ''
}
