/** Counts of rating histories as an endpoint. */
import { MAX_HISTORY_ROWS, MAX_NUMBERS, MAX_PERIODS, MAX_RATINGS } from '../../../base/limits/callers.ts'
import { Type } from '../../../base/type.ts'
import { DomainError } from '../../../numerics/domain-error.ts'
import { counted, history, historyMethods, ratingPlaces } from '../../../numerics/results/rating-history.ts'
import type { StreamField } from '../../../wire/arrow/read-schema.ts'
import { operation } from '../operation.ts'
import {
  exactly,
  integer,
  matrix,
  nonNegative,
  number,
  oneOf,
  text,
  texts,
  vectorOrNone,
  withDefault,
} from '../schema.ts'
import { historyColumns, historyRows } from './history-columns.ts'

/** Columns of a row: its entity, its time and its rating. */
const COLUMNS = 3
const MAX_ROWS = Math.floor(MAX_NUMBERS / COLUMNS)
/** Years on either side of 0; sums of so many years are finite. */
const YEARS = 1e6

const id = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
])
const instant = (description: string) =>
  Type.Union([text(''), number('', { minimum: -YEARS, maximum: YEARS })], { description })
const count = (description: string) => integer(description, 0, Number.MAX_SAFE_INTEGER)

/** Estimated microseconds are for a row of numbers and dictionaries; each text of its own takes longer. */
const isPlainText = ({ dictionary, kind }: StreamField): boolean => dictionary === null && kind.is === 'utf8'

export const ratingHistoryOperation = operation({
  path: '/quantlib/ml/credit/rating-history',
  title: 'Rating history',
  summary:
    'Counts of rating moves from histories; the input of migration and migration-generator. Rows come in any order; of several of an entity and time the last one given holds, until its next time. By cohorts that are looked at each period (Jarrow, Lando & Turnbull 1997), or by durations with the years in each rating (Lando & Skødeberg 2002). A date is its midnight in UTC; a year of dates has 365.25 days. Default is never left.',
  input: exactly({
    entities: Type.Array(id, {
      description: 'issuers; one per row, texts or whole numbers',
      minItems: 1,
      maxItems: MAX_NUMBERS,
    }),
    ratings: texts('one per row; from its time on', 1),
    order: texts('best first; all ratings, of which the last is default', 2, MAX_RATINGS),
    start: instant('date or years; of the window, as dates or times'),
    end: instant('likewise'),
    times: withDefault(vectorOrNone('years; one per row, where there are no dates', number('time')), []),
    dates: withDefault(texts('ISO 8601; one per row', 0), []),
    method: withDefault(oneOf(historyMethods, 'of counting'), 'cohort'),
    period: withDefault(
      Type.Number({
        description: 'years; of cohorts, whole months by the calendar of dates',
        exclusiveMinimum: 0,
        maximum: MAX_PERIODS,
      }),
      1,
    ),
    withdrawn: withDefault(texts('not rated; the ratings that mean so', 0, MAX_RATINGS), ['NR', 'WR']),
  }),
  output: exactly({
    ratings: Type.Array(Type.String(), { description: 'names of rows and columns; best first' }),
    transitions: matrix('counts; from row to column, of cohorts also of those who stay'),
    exposures: Type.Optional(
      Type.Array(nonNegative(''), { description: 'years in each rating; only of duration' }),
    ),
    entities: count('rated in the window'),
    withdrawals: count('moves to withdrawn; of cohorts, ratings that are withdrawn a period later'),
    unrated_years: nonNegative('years withdrawn; until the next rating or the end'),
  }),
  example: {
    input: {
      entities: ['Alfa', 'Beta', 'Ceres', 'Alfa', 'Beta', 'Ceres', 'Alfa'],
      dates: [
        '2019-12-31',
        '2019-12-31',
        '2020-03-31',
        '2020-06-30',
        '2021-09-15',
        '2021-06-30',
        '2022-12-31',
      ],
      ratings: ['A', 'B', 'A', 'B', 'D', 'NR', 'A'],
      order: ['A', 'B', 'D'],
      start: '2019-12-31',
      end: '2022-12-31',
    },
    output: {
      ratings: ['A', 'B', 'D'],
      transitions: [
        [0, 1, 0],
        [1, 2, 1],
        [0, 0, 0],
      ],
      entities: 3,
      withdrawals: 1,
      unrated_years: 1.5030800821355237,
    },
  },
  work: ({ entities }) => 20 + 1 * entities.length,
  hasTexts: true,
  compute: (input) => {
    const { length } = input.entities
    if (length > MAX_ROWS)
      throw new DomainError(
        'entities',
        `has ${length} rows; at most ${MAX_ROWS} are allowed as JSON: send an Arrow stream, or some entities at a time and add their counts`,
      )
    return history(input)
  },
  rows: {
    columns: historyColumns,
    most: MAX_HISTORY_ROWS,
    work: ({ fields, rows }) => 20 + rows * (0.35 + 0.2 * fields.filter(isPlainText).length),
    compute: (stream, settings) => {
      const { rows, unit } = historyRows(stream, ratingPlaces(settings))
      return counted(rows, settings, unit)
    },
  },
})
