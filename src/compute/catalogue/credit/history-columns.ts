/** The rows of rating histories in the columns of an Arrow stream. */
import { dayOf, dayOfText, FIRST_DAY, LAST_DAY } from '../../../numerics/calendar.ts'
import type { RatingRows } from '../../../numerics/matrices/rating-history.ts'
import { IS_A_DATE, placeOf, timeUnit } from '../../../numerics/results/rating-history.ts'
import {
  daysOf,
  eachChunk,
  eachString,
  numbersOf,
  type ValueNumbers,
  valueNumbers,
} from '../../../wire/arrow/column-values.ts'
import { textOf } from '../../../wire/arrow/flatbuffer.ts'
import { columnFault } from '../../../wire/arrow/format.ts'
import type { Stream } from '../../../wire/arrow/read-stream.ts'

export const historyColumns = ['entities', 'times', 'dates', 'ratings'] as const

/** Throws ArrowFault or DomainError. @param places of the ratings in their order */
export function historyRows(stream: Stream, places: ReadonlyMap<string, number>) {
  const columnOf = (name: string) => stream.fields.findIndex((field) => field.name === name)
  const unit = timeUnit(columnOf('times') >= 0, columnOf('dates') >= 0)
  const rows: Omit<RatingRows, 'count'> = {
    ratings: placesOf(stream, columnOf('ratings'), places),
    times: unit === 'years' ? yearsOf(stream, columnOf('times')) : datesOf(stream, columnOf('dates')),
    entities: entitiesOf(stream, columnOf('entities')),
  }
  return { rows, unit }
}

/** The number of the entity of each row: of a text, or of an integer, whose bytes tell it as well. */
function entitiesOf(stream: Stream, index: number): Uint32Array {
  const { dictionary, kind, name } = stream.fields[index]
  const entities = new Uint32Array(stream.rows)
  const numbers = numbersFor(stream, index)
  if (kind.is === 'int' && dictionary === null) {
    const bytes = kind.bits / 8
    eachChunk(stream, index, ({ data, rows }, from) => {
      for (let row = 0; row < rows; row++)
        entities[from + row] = numbers.numberOf(data, bytes * row, bytes * (row + 1))
    })
    return entities
  }
  if (kind.is !== 'utf8') throw columnFault(name, 'must be text or integers')
  eachString(
    stream,
    index,
    (utf8, start, end) => (end > start ? numbers.numberOf(utf8, start, end) : -1),
    (number, row) => {
      if (number === -1) throw columnFault(`${name}/${row}`, 'is empty; name the entity')
      entities[row] = number
    },
  )
  return entities
}

/** The place of the rating of each row. A dictionary may have others, to which no row refers. */
function placesOf(stream: Stream, index: number, places: ReadonlyMap<string, number>): Uint16Array {
  const ratings = new Uint16Array(stream.rows)
  const numbers = numbersFor(stream, index)
  const known: number[] = []
  eachString(
    stream,
    index,
    (utf8, start, end) => {
      const number = numbers.numberOf(utf8, start, end)
      if (number === known.length) known.push(places.get(textOf(numbers.bytesOf(number))) ?? -1)
      return known[number] === -1 ? -1 - number : known[number]
    },
    (place, row) => {
      if (place < 0) placeOf(places, textOf(numbers.bytesOf(-1 - place)), row)
      ratings[row] = place
    },
  )
  return ratings
}

/** A table for the values of a column: its rows, or the texts of its dictionaries. */
function numbersFor(stream: Stream, index: number): ValueNumbers {
  let most = 0
  let buffer: ArrayBufferLike = new ArrayBuffer()
  let last: object | null = null
  eachChunk(stream, index, ({ data, dictionary, rows }) => {
    buffer = data.buffer
    if (dictionary === null) most += rows
    else if (dictionary !== last) most += dictionary.rows
    last = dictionary
  })
  return valueNumbers(buffer, most)
}

function yearsOf(stream: Stream, index: number): Float64Array {
  const times = numbersOf(stream, index, new Float64Array(stream.rows))
  const row = times.findIndex((time) => !Number.isFinite(time))
  if (row >= 0) throw columnFault(`times/${row}`, 'must be a finite number')
  return times
}

function datesOf(stream: Stream, index: number): Float64Array {
  const days = new Float64Array(stream.rows)
  if (stream.fields[index].kind.is === 'utf8')
    eachString(stream, index, dayOfBytes, (day, row) => {
      days[row] = day
    })
  else daysOf(stream, index, days)
  const row = days.findIndex((day) => !(day >= FIRST_DAY && day < LAST_DAY + 1))
  if (row >= 0) throw columnFault(`dates/${row}`, `${IS_A_DATE}, in the years 1 to 9999`)
  return days
}

/** The bytes of `2026-01-31`. */
const DATE_BYTES = 10
const DASH = 0x2d
/** Longer texts are no dates. */
const MOST_BYTES = 40

/** The day of a date in ISO 8601; one without a time of day is read without decoding it. */
function dayOfBytes(utf8: Uint8Array, start: number, end: number): number {
  if (end - start === DATE_BYTES && utf8[start + 4] === DASH && utf8[start + 7] === DASH)
    return dayOf(
      100 * twoDigits(utf8, start) + twoDigits(utf8, start + 2),
      twoDigits(utf8, start + 5),
      twoDigits(utf8, start + 8),
    )
  return end - start > MOST_BYTES ? Number.NaN : dayOfText(textOf(utf8.subarray(start, end)))
}

function twoDigits(utf8: Uint8Array, at: number): number {
  const tens = utf8[at] - 0x30
  const ones = utf8[at + 1] - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN
}
