/** Counts of rating histories against a second implementation in fractions, which looks at each entity at each time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unflatten } from '../../../src/numerics/matrices/matrix.ts'
import { migration } from '../../../src/numerics/matrices/migration.ts'
import { migrationGenerator } from '../../../src/numerics/matrices/migration-generator.ts'
import { looksEvery, ratingHistory } from '../../../src/numerics/matrices/rating-history.ts'
import { assertRefused } from '../answer.ts'

/** Entity, time in units of 1/64 of a year, and rating: A, B, D (default) or W (withdrawn). */
type Row = readonly [entity: number, time: number, rating: 'A' | 'B' | 'D' | 'W']
const UNIT = 64
const PLACES = ['A', 'B', 'D', 'W']

interface Window {
  readonly start: number
  readonly end: number
  /** 0: every move is counted. */
  readonly period: number
}

const counted = (rows: readonly Row[], { start, end, period }: Window) =>
  ratingHistory(
    {
      entities: Uint32Array.from(rows, ([entity]) => entity),
      times: Float64Array.from(rows, ([, time]) => time / UNIT),
      ratings: Uint16Array.from(rows, ([, , rating]) => PLACES.indexOf(rating)),
      count: 3,
    },
    { start, end, looks: period > 0 ? looksEvery(period, start, end) : new Float64Array() },
  )

/** The rating of an entity at a time in units; the rows in the order given. */
function ratingAt(rows: readonly Row[], entity: number, time: number): string | undefined {
  const own = rows.filter(([one, since]) => one === entity && since <= time)
  const last = (limit: number) => own.filter(([, since]) => since === limit).at(-1)![2]
  const held = [...new Set(own.map(([, since]) => since))].sort((a, b) => a - b).map(last)
  return held.includes('D') ? 'D' : held.at(-1)
}

/** The same counts by looking at each entity at each unit of time. Units are whole, so that nothing is rounded. */
function expected(rows: readonly Row[], { start, end, period }: Window) {
  const [from, to, step] = [start * UNIT, end * UNIT, period * UNIT]
  const transitions = [0, 1, 2].map(() => [0, 0, 0])
  const units = { A: 0, B: 0, D: 0, W: 0 }
  let entities = 0
  let withdrawals = 0
  for (const entity of new Set(rows.map(([one]) => one))) {
    const at = (time: number) => ratingAt(rows, entity, time) as Row[2] | undefined
    let isRated = false
    const pairs = step > 0 ? Math.floor((to - from) / step) : to - from
    for (let k = 0; k < pairs; k++) {
      const [now, then] = [at(from + k * (step || 1)), at(from + (k + 1) * (step || 1))]
      if (now === undefined || now === 'D') continue
      if (now !== 'W') isRated = true
      if (now === 'W') continue
      if (then === 'W') withdrawals++
      else if (step > 0 || then !== now) transitions[PLACES.indexOf(now)][PLACES.indexOf(then!)]++
    }
    for (let time = from; time < to; time++) {
      const now = at(time)
      if (now !== undefined && now !== 'D') units[now]++
    }
    if (isRated) entities++
  }
  return {
    transitions,
    exposures: [units.A / UNIT, units.B / UNIT, 0],
    entities,
    withdrawals,
    unratedTime: units.W / UNIT,
  }
}

const rowsOf = fc.array(
  fc.tuple(fc.nat(5), fc.integer({ min: 0, max: 40 }), fc.constantFrom('A', 'B', 'B', 'A', 'D', 'W')),
  { minLength: 1, maxLength: 60 },
) as fc.Arbitrary<Row[]>

const agree = (rows: readonly Row[], window: Window) => {
  const { transitions, exposures, ...others } = counted(rows, window)
  const found = { transitions: unflatten(transitions), exposures: [...exposures], ...others }
  assert.deepEqual(found, expected(rows, window))
}

test('durations: moves, years, entities and withdrawals are those of a look at each unit of time', () => {
  fc.assert(
    fc.property(rowsOf, fc.nat(20), fc.integer({ min: 1, max: 30 }), (rows, from, length) =>
      agree(rows, { start: from / UNIT, end: (from + length) / UNIT, period: 0 }),
    ),
    { numRuns: 1000 },
  )
})

test('cohorts: ratings at the start and at the end of each period', () => {
  fc.assert(
    fc.property(
      rowsOf,
      fc.nat(20),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 6, max: 30 }),
      (rows, from, step, length) =>
        agree(rows, { start: from / UNIT, end: (from + length) / UNIT, period: step / UNIT }),
    ),
    { numRuns: 1000 },
  )
})

test('rows in another order give the same, unless they are of one entity and time', () => {
  const rows: Row[] = [
    [0, 0, 'A'],
    [1, 0, 'B'],
    [0, 64, 'B'],
    [1, 96, 'D'],
    [0, 160, 'W'],
  ]
  const window = { start: 0, end: 4, period: 0 }
  assert.deepEqual(counted(rows.toReversed(), window), counted(rows, window))
  const twice = (first: Row[2], second: Row[2]) =>
    counted([...rows, [2, 0, 'A'], [2, 32, first], [2, 32, second]], window).transitions.values
  assert.notDeepEqual(twice('B', 'D'), twice('D', 'B'))
})

test('the counts are the input of migration and of the generator', () => {
  const rows: Row[] = [
    [0, 0, 'A'],
    [0, 32, 'B'],
    [1, 0, 'B'],
    [1, 48, 'D'],
    [2, 0, 'A'],
  ]
  const { transitions, exposures } = counted(rows, { start: 0, end: 2, period: 0 })
  const { generator } = migrationGenerator({
    counts: transitions,
    exposures: [...exposures],
    method: 'duration',
  })
  // A: one move in 0.5 + 2 years; B: one default in 1.5 + 0.75 years.
  assert.deepEqual(unflatten(generator), [
    [-0.4, 0.4, 0],
    [0, -1 / 2.25, 1 / 2.25],
    [0, 0, 0],
  ])
  const cohorts = counted(rows, { start: 0, end: 2, period: 1 }).transitions
  assert.deepEqual(unflatten(migration(cohorts, 1).transition)[0], [2 / 3, 1 / 3, 0])
})

test('the history of 20 firms of Lando & Skødeberg (2002) gives the rates that they print', () => {
  const firms = Array.from({ length: 20 }, (_, firm): Row => [firm, 0, firm < 10 ? 'A' : 'B'])
  const moves: Row[] = [
    [0, UNIT / 12, 'B'],
    [10, (2 * UNIT) / 12, 'A'],
    [11, UNIT / 2, 'D'],
  ]
  const { transitions, exposures } = counted([...firms, ...moves], { start: 0, end: 1, period: 0 })
  const data = { counts: transitions, exposures: [...exposures], method: 'duration' } as const
  const printed = unflatten(migrationGenerator(data).generator).map((row) =>
    row.map((rate) => rate.toFixed(5)),
  )
  assert.deepEqual(printed, [
    ['-0.10084', '0.10084', '0.00000'],
    ['0.10435', '-0.20870', '0.10435'],
    ['0.00000', '0.00000', '0.00000'],
  ])
})

test('an entity that is withdrawn and rated anew counts in both spells, and not between', () => {
  const rows: Row[] = [
    [0, 0, 'A'],
    [0, 64, 'W'],
    [0, 192, 'B'],
  ]
  const { exposures, transitions, unratedTime, withdrawals } = counted(rows, {
    start: 0,
    end: 4,
    period: 0,
  })
  assert.deepEqual([[...exposures], unratedTime, withdrawals], [[1, 1, 0], 2, 1])
  assert.deepEqual(new Set(transitions.values), new Set([0]))
})

test('a window without time, periods that do not fit, and columns of different lengths are refused', () => {
  const rows: Row[] = [[0, 0, 'A']]
  assertRefused('end', () => counted(rows, { start: 1, end: 1, period: 0 }))
  assertRefused('period', () => looksEvery(0, 0, 1))
  assertRefused('period', () => counted(rows, { start: 0, end: 1, period: 1e-5 }))
  assertRefused('times', () =>
    ratingHistory(
      {
        entities: Uint32Array.of(0, 1),
        times: Float64Array.of(0),
        ratings: Uint16Array.of(0, 0),
        count: 3,
      },
      { start: 0, end: 1, looks: new Float64Array() },
    ),
  )
})
