/** Rating histories as JSON and as Arrow: the same counts in every form of the columns, and refusals that name row and column. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type DataType,
  DateDay,
  DateMillisecond,
  Dictionary,
  Int32,
  Int64,
  LargeUtf8,
  TimestampMicrosecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint8,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import { Failure } from '../../../src/base/failure.ts'
import {
  migrationGeneratorOperation,
  migrationOperation,
} from '../../../src/compute/catalogue/credit/migration.ts'
import { ratingHistoryOperation } from '../../../src/compute/catalogue/credit/rating-history.ts'
import { compileOperation } from '../../../src/compute/computation.ts'
import type { Wire } from '../../../src/compute/result.ts'
import { streamOf, vectorOf } from '../../support/arrow-streams.ts'

const compiled = compileOperation(ratingHistoryOperation)

function sent(body: Uint8Array, wire: Wire['body'], computation = compiled) {
  const job = computation.read(body, { body: wire, reply: 'json' })
  const result = job instanceof Failure ? job : job.run()
  if (result instanceof Failure) return result
  return JSON.parse(result.pieces.join(''))
}
const asJson = (body: object) => sent(Buffer.from(JSON.stringify(body)), 'json')
const asArrow = (columns: Parameters<typeof streamOf>[0], others: object) =>
  sent(streamOf(columns, others), 'arrow')

function assertRefused(found: unknown, path: string, message: RegExp): void {
  assert.ok(found instanceof Failure, JSON.stringify(found))
  assert.equal(found.code, 'invalid_input')
  assert.equal(found.details[0].path, path)
  assert.match(found.details[0].message, message)
}

const { dates, entities, ratings, ...others } = ratingHistoryOperation.example.input as unknown as {
  dates: string[]
  entities: string[]
  ratings: string[]
  order: string[]
  start: string
  end: string
}
const rows = { dates, entities, ratings }
const { output } = ratingHistoryOperation.example
const texts = { dates: vectorOf(dates), entities: vectorOf(entities), ratings: vectorOf(ratings) }

describe('the columns of an Arrow stream', () => {
  const days = dates.map((date) => new Date(date))
  const numbers = entities.map((name) => 1_000 * name.charCodeAt(0))
  const forms: Record<
    string,
    [column: 'dates' | 'entities' | 'ratings', values: readonly unknown[], type: DataType]
  > = {
    'dates as text': ['dates', dates, new Utf8()],
    'dates as long text': ['dates', dates, new LargeUtf8()],
    'dates with a time and a zone': ['dates', dates.map((date) => `${date}T02:00:00+02:00`), new Utf8()],
    days: ['dates', days, new DateDay()],
    'dates in milliseconds': ['dates', days, new DateMillisecond()],
    'timestamps in seconds': ['dates', days, new TimestampSecond()],
    'timestamps in microseconds': ['dates', days, new TimestampMicrosecond('Asia/Tokyo')],
    'timestamps in nanoseconds': ['dates', days, new TimestampNanosecond()],
    'entities as text': ['entities', entities, new Utf8()],
    'entities as bytes': ['entities', numbers.map((one) => one / 1_000), new Uint8()],
    'entities as integers': ['entities', numbers, new Int32()],
    'entities as integers beyond 2⁵³': [
      'entities',
      numbers.map((one) => 2n ** 60n + BigInt(one)),
      new Int64(),
    ],
    'ratings as text': ['ratings', ratings, new Utf8()],
    'ratings in a dictionary with others': ['ratings', ratings, new Dictionary(new Utf8(), new Int32())],
  }
  for (const [name, [column, values, type]] of Object.entries(forms))
    test(`${name}: the counts are those of JSON`, () => {
      const found = asArrow({ ...texts, [column]: vectorFromArray(values, type) }, others)
      assert.deepEqual(found, output)
    })

  test('years: the counts and years are those of JSON', () => {
    const times = [0, 0.5, 1.25, 1, 2.5, 2, 2.75]
    const window = { order: ['A', 'B', 'D'], start: 0, end: 3, method: 'duration' }
    const expected = asJson({ entities, ratings, times, ...window })
    // Alfa has A, from 1 on B and from 2.75 on A; Beta has B from 0.5 to 2.5; Ceres A from 1.25 to 2.
    assert.deepEqual(expected.exposures, [1 + 0.25 + 0.75, 1.75 + 2, 0])
    const { dates: _, ...others } = texts
    assert.deepEqual(asArrow({ ...others, times: vectorOf(times) }, window), expected)
  })

  test('a rating of the dictionary that no row has is not refused', () => {
    const values = vectorFromArray([...ratings, 'Baa4'], new Dictionary(new Utf8(), new Int32()))
    assert.deepEqual(asArrow({ ...texts, ratings: values.slice(0, ratings.length) }, others), output)
  })

  test('a column that is a field of the metadata, or the other way round, is refused', () => {
    assertRefused(
      asArrow({ ...texts, order: vectorOf(ratings) }, { start: others.start, end: others.end }),
      '/columns/order',
      /^is no column: put it into the metadata$/,
    )
    const { ratings: _, ...two } = texts
    assertRefused(asArrow(two, { ...others, ratings }), '/metadata/quantd/ratings', /^must be a column/)
  })

  test('faults name the row and the column', () => {
    const replaced = (column: keyof typeof rows, row: number, value: unknown, type: DataType) =>
      asArrow(
        { ...texts, [column]: vectorFromArray((rows[column] as unknown[]).with(row, value), type) },
        others,
      )
    assertRefused(replaced('ratings', 5, null, new Utf8()), '/columns/ratings/5', /^is null/)
    assertRefused(
      replaced('ratings', 3, 'Baa4', new Utf8()),
      '/columns/ratings/3',
      /^is "Baa4", which is neither in order nor withdrawn$/,
    )
    assertRefused(replaced('ratings', 3, '', new Utf8()), '/columns/ratings/3', /^is "", which/)
    assertRefused(replaced('entities', 6, '', new Utf8()), '/columns/entities/6', /^is empty/)
    assertRefused(
      replaced('dates', 2, '2019-02-30', new Utf8()),
      '/columns/dates/2',
      /^it must be a date of the calendar/,
    )
    assertRefused(replaced('dates', 2, '31.12.2019', new Utf8()), '/columns/dates/2', /^it must be a date/)
    const late = days.with(4, new Date(Date.UTC(12_000, 0)))
    assertRefused(
      asArrow({ ...texts, dates: vectorFromArray(late, new DateDay()) }, others),
      '/columns/dates/4',
      /in the years 1 to 9999/,
    )
    const { dates: _, ...two } = texts
    assertRefused(
      asArrow({ ...two, times: vectorOf([0, 1, Number.NaN, 3, 4, 5, 6]) }, { ...others, start: 0, end: 1 }),
      '/columns/times/2',
      /^must be a finite number$/,
    )
    assertRefused(
      asArrow({ ...texts, ratings: vectorOf([1, 2, 3, 4, 5, 6, 7]) }, others),
      '/columns/ratings',
      /^must be text/,
    )
    assertRefused(
      asArrow({ ...texts, entities: vectorOf([1, 2, 3, 4, 5, 6, 7]) }, others),
      '/columns/entities',
      /text or integers/,
    )
    assertRefused(asArrow(two, others), '/dates', /^is required, or times in years$/)
  })
})

describe('a body of JSON', () => {
  test('faults name the row', () => {
    assertRefused(
      asJson({ ...others, ...rows, ratings: ratings.with(2, 'Baa4') }),
      '/ratings/2',
      /neither in order nor withdrawn/,
    )
    assertRefused(
      asJson({ ...others, ...rows, dates: dates.with(2, '2019-13-01') }),
      '/dates/2',
      /^is "2019-13-01"; it must be a date/,
    )
    assertRefused(
      asJson({ ...others, ...rows, entities: entities.with(2, 7 as never) }),
      '/entities/2',
      /of one kind/,
    )
    assertRefused(
      asJson({ ...others, ...rows, entities: entities.slice(1) }),
      '/dates',
      /has 7 items but entities has 6/,
    )
    assertRefused(asJson({ ...others, ...rows, times: [1] }), '/dates', /^cannot be given with times$/)
    assertRefused(
      asJson({ ...others, ...rows, start: 2019 }),
      '/start',
      /^must be a date such as "2026-01-31", because dates are$/,
    )
    assertRefused(asJson({ ...others, ...rows, order: ['A', 'B', 'A', 'D'] }), '/order/2', /^repeats "A"$/)
    assertRefused(
      asJson({ ...others, ...rows, withdrawn: ['NR', 'B'] }),
      '/withdrawn/1',
      /^is "B", which is also in order$/,
    )
    assertRefused(
      asJson({ ...others, ...rows, period: 4 }),
      '/period',
      /^must not be longer than from start to end$/,
    )
    assertRefused(asJson({ ...others, ...rows, end: '2019-12-31' }), '/end', /^must be after start$/)
  })

  test('it may have hundreds of thousands of different texts; beyond the limit on numbers it is told to send Arrow', () => {
    const many = (length: number) => ({
      ...others,
      entities: Array.from({ length }, (_, row) => `Issuer ${row}`),
      dates: new Array(length).fill('2020-06-30'),
      ratings: new Array(length).fill('A'),
    })
    const { entities, transitions } = asJson(many(200_000))
    assert.deepEqual([entities, transitions[0][0]], [200_000, 400_000])
    assertRefused(
      asJson(many(333_334)),
      '/entities',
      /has 333334 rows; at most 333333 are allowed as JSON: send an Arrow stream/,
    )
  })
})

describe('dates', () => {
  const looked = (dates: string[], window: { start: string; end: string; period?: number }) =>
    asJson({
      entities: dates.map(() => 1),
      dates,
      ratings: dates.map((_, i) => 'AB'[i % 2]),
      order: ['A', 'B', 'D'],
      ...window,
    }).transitions

  test('a look is on the same day of a month, or on its last day as the start', () => {
    const quarters = ['2019-06-30', '2019-09-30', '2019-12-31', '2020-03-31', '2020-06-30']
    const alternating = [
      [0, 2, 0],
      [2, 0, 0],
      [0, 0, 0],
    ]
    assert.deepEqual(looked(quarters, { start: '2019-06-30', end: '2020-06-30', period: 0.25 }), alternating)
    const leaps = ['2019-02-28', '2020-02-29', '2021-02-28', '2022-02-28', '2023-02-28']
    assert.deepEqual(looked(leaps, { start: '2019-02-28', end: '2023-02-28' }), alternating)
    const firsts = ['2020-01-01', '2020-02-01', '2020-03-01', '2020-04-01', '2020-05-01']
    assert.deepEqual(looked(firsts, { start: '2020-01-01', end: '2020-05-01', period: 1 / 12 }), alternating)
  })

  test('of several on a day the last one given holds; with a time of day, the latest', () => {
    const twice = (first: string, second: string) =>
      asJson({
        entities: [1, 1, 1],
        dates: ['2020-01-01', first, second],
        ratings: ['A', 'B', 'D'],
        order: ['A', 'B', 'D'],
        start: '2020-01-01',
        end: '2021-01-01',
      }).transitions[0]
    assert.deepEqual(twice('2020-06-01', '2020-06-01'), [0, 0, 1])
    assert.deepEqual(twice('2020-06-01T12:00:00Z', '2020-06-01'), [0, 0, 1])
    assert.deepEqual(twice('2020-06-01', '2020-05-31T23:59:59-02:00'), [0, 0, 1])
    assert.deepEqual(twice('2020-06-01T00:00:01Z', '2020-06-01'), [0, 0, 1])
  })
})

test('the counts are the input of migration and of the generator', () => {
  const feed = (computation: ReturnType<typeof compileOperation>, body: object) =>
    sent(Buffer.from(JSON.stringify(body)), 'json', computation)
  const { transitions } = asJson({ ...others, ...rows })
  const { transition_matrix } = feed(compileOperation(migrationOperation), { transitions })
  assert.deepEqual(transition_matrix[1], [0.25, 0.5, 0.25])
  const durations = asJson({ ...others, ...rows, method: 'duration' })
  const { generator } = feed(compileOperation(migrationGeneratorOperation), {
    transitions: durations.transitions,
    exposures: durations.exposures,
    method: 'duration',
  })
  assert.equal(generator[1][2], 1 / durations.exposures[1])
})

/** An exercise of courses on credit risk, for example https://www.transtutors.com/questions/13394129; its figures by hand. */
test('30 firms over one year, of which three move, have the shares and rates of the exercise', () => {
  const firms = (rating: string) =>
    Array.from({ length: 15 }, (_, i) => ({ entity: `${rating}${i}`, time: 0, rating }))
  const moves = [
    { entity: 'A0', time: 0.25, rating: 'B' },
    { entity: 'B0', time: 0.5, rating: 'A' },
    { entity: 'B1', time: 0.75, rating: 'D' },
  ]
  const rows = [...moves, ...firms('A'), ...firms('B')]
  const body = {
    entities: rows.map(({ entity }) => entity),
    times: rows.map(({ time }) => time),
    ratings: rows.map(({ rating }) => rating),
    order: ['A', 'B', 'D'],
    start: 0,
    end: 1,
  }
  assert.deepEqual(asJson(body).transitions, [
    [14, 1, 0],
    [1, 13, 1],
    [0, 0, 0],
  ])
  const { exposures, transitions } = asJson({ ...body, method: 'duration' })
  assert.deepEqual(exposures, [14 + 0.25 + 0.5, 13 + 0.75 + 0.5 + 0.75, 0])
  assert.deepEqual(transitions, [
    [0, 1, 0],
    [1, 0, 1],
    [0, 0, 0],
  ])
})
