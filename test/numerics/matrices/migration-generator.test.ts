/** Migration in continuous time: the laws of generators and of their exponentials. Exact values are reference vectors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { migrationGeneratorOperation } from '../../../src/compute/catalogue/credit/migration.ts'
import { answer, assertRefused, rows } from '../answer.ts'

const generate = (transitions: number[][], others: object = {}) =>
  answer(migrationGeneratorOperation, { transitions, ...others })

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const near = (found: number, wanted: number, tolerance = 1e-12) =>
  assert.ok(Math.abs(found - wanted) <= tolerance * (1 + Math.abs(wanted)), `${found}, not ${wanted}`)

const rate = fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 30, noNaN: true }))
/** Counts whose logarithm exists, because most stay; the last rating is default. */
const counts = fc
  .integer({ min: 1, max: 6 })
  .chain((size) =>
    fc
      .array(fc.array(rate, { minLength: size, maxLength: size }), { minLength: size, maxLength: size })
      .map((rows) =>
        rows.map((row, i) =>
          row.map((count, j) => (i === size - 1 ? 0 : i === j ? 1 + 2 * sum(row) + count : count)),
        ),
      ),
  )
const times = [0, 0.25, 1, 1.25, 30, 1_000]

test('rows of a generator sum to 0 and have no negative rate, and default is never left', () => {
  fc.assert(
    fc.property(counts, fc.boolean(), (transitions, isDuration) => {
      const exposures = transitions.map(sum).map((years) => years + 1)
      const { generator } = generate(transitions, isDuration ? { method: 'duration', exposures } : {})
      generator.forEach((row, i) => {
        near(sum(row), 0)
        assert.ok(row.every((value, j) => (i === j ? value <= 0 : value >= 0)))
      })
      assert.ok(generator.at(-1)?.every((value) => value === 0))
    }),
  )
})

test('probabilities of default lie in 0…1, never fall with time, begin at 0, and are those of the composed times', () => {
  fc.assert(
    fc.property(counts, (transitions) => {
      const found = generate(transitions, { times })
      const rows = found.default_probabilities
      assert.ok(rows.every((row) => row.every((one) => one >= 0 && one <= 1) && row.at(-1) === 1))
      assert.ok(rows[0].slice(0, -1).every((one) => one === 0))
      for (let i = 1; i < rows.length; i++)
        assert.ok(rows[i].every((one, rating) => one >= rows[i - 1][rating] * (1 - 1e-14)))
      // The same chain in units of a quarter.
      const size = transitions.length
      const exposures = Array(size).fill(4)
      const quarters = generate(
        found.generator.map((row, i) => row.map((one, j) => (i === j ? 0 : one))),
        { method: 'duration', exposures, times: times.map((time) => 4 * time) },
      )
      quarters.default_probabilities.flat().forEach((one, cell) => {
        near(one, rows.flat()[cell], 1e-13)
      })
    }),
  )
})

test('where the matrix is embeddable, its generator has it at one year, and it is found from the probabilities of a generator', () => {
  const generator = rows('-0.1 0.08 0.02; 0.15 -0.4 0.25; 0 0 0')
  // exp of it, by the series.
  let [power, sumOf] = [0, 1].map(() => generator.map((_, i) => generator.map((_, j) => Number(i === j))))
  for (let k = 1; k < 40; k++) {
    power = power.map((row) =>
      generator.map((_, j) => sum(row.map((one, via) => one * generator[via][j])) / k),
    )
    sumOf = sumOf.map((row, i) => row.map((one, j) => one + power[i][j]))
  }
  const found = generate(sumOf, { times: [1] })
  assert.equal(found.embeddable, true)
  found.generator.flat().forEach((one, cell) => {
    near(one, generator.flat()[cell], 1e-14)
  })
  assert.deepEqual(
    found.default_probabilities[0].slice(0, 2).map((one, i) => Math.abs(one - sumOf[i][2]) < 1e-14),
    [true, true],
  )
})

test('rates of rare moves have the digits of frequent ones', () => {
  const [staying, leaving] = [932_000_007, 489]
  const rate = -Math.log1p(-leaving / (staying + leaving))
  const one = generate([
    [staying, leaving],
    [0, 1],
  ])
  assert.ok(Math.abs(one.generator[0][1] / rate - 1) < 4e-16, `${one.generator[0][1]}, not ${rate}`)
  // Half the difference of ln P at 0,1 and 0,0, in 50 digits: the logarithm has a small negative rate of two steps.
  const three = generate([
    [10 ** 9, 1, 0],
    [0, 10 ** 9, 10],
    [0, 0, 1],
  ])
  assert.ok(Math.abs(three.generator[0][1] / 1.000000002e-9 - 1) < 1e-15)
})

test('a rating that is reached over others but never in one year makes the matrix not embeddable', () => {
  const chain = rows('9 1 0; 0 9 1; 0 0 1')
  const { embeddable, generator, default_probabilities } = generate(chain, { times: [1] })
  assert.equal(embeddable, false)
  assert.equal(generator[0][2], 0)
  assert.ok(default_probabilities[0][0] > 0)
  assert.equal(generate(rows('1 0; 0 1')).embeddable, true)
})

test('a warning names the ratings whose defaults the nearest generator loses', () => {
  const cyclic = rows('10 80 5 5; 5 10 80 5; 80 5 10 5; 0 0 0 1')
  const { warning, default_probabilities } = generate(cyclic, { times: [1, 10] })
  assert.deepEqual(default_probabilities[1], [0, 0, 0, 1])
  assert.match(warning!, /ratings at 0, 1, 2 lead to default, but the nearest generator does not/)
  assert.equal(generate(rows('9 1 0; 0 9 1; 0 0 1')).warning, undefined)
  const exposures = [100, 100, 100, 0]
  assert.equal(generate(cyclic, { method: 'duration', exposures }).warning, undefined)
})

test('a matrix with another real logarithm is not said to have none', () => {
  const negative = rows('994 1003 1003 10; 1003 994 1003 10; 1003 1003 994 10; 0 0 0 1')
  assert.throws(() => generate(negative), /without a real principal logarithm/)
})

test('durations count moves per year and ignore the diagonal', () => {
  const given = { method: 'duration', exposures: [100, 50, 0], times: [1] }
  const moves = rows('0 3 1; 2 0 2; 0 0 0')
  const found = generate(moves, given)
  assert.deepEqual(found.generator, rows('-0.04 0.03 0.01; 0.04 -0.08 0.04; 0 0 0'))
  const stayed = generate(
    moves.map((row, i) => row.map((one, j) => (i === j ? 90 : one))),
    given,
  )
  assert.deepEqual(stayed.generator, found.generator)
  assert.equal(found.embeddable, false)
})

test('no logarithm, moves out of default, and missing or needless exposures are refused', () => {
  for (const singular of [
    rows('0 1; 0 1'),
    rows('1 9 0; 9 1 0; 0 0 1'),
    rows('0 1 0; 1 0 0; 0 0 1'),
    rows('1 1 2; 1 1 2; 0 0 1'),
  ])
    assertRefused('counts', () => generate(singular))
  const two = rows('3 1; 0 1')
  assertRefused('counts.1.0', () => generate(rows('3 1; 1 1')))
  assertRefused('counts', () => generate([[3, 1]]))
  assertRefused('exposures', () => generate(two, { exposures: [1, 1] }))
  assertRefused('exposures', () => generate(two, { method: 'duration' }))
  assertRefused('exposures.0', () => generate(two, { method: 'duration', exposures: [0, 1] }))
  assertRefused('times', () => generate(two, { method: 'duration', exposures: [1e-15, 1], times: [10] }))
})

const moves = rows('180 15 5; 20 150 30; 0 0 0')
const bootstrap = (transitions: number[][], others: object = {}) => {
  const found = generate(transitions, { times: [0, 1, 4], bootstrap_samples: 200, ...others })
  const { default_probabilities_lower: lower, default_probabilities_upper: upper } = found
  return { ...found, lower: lower!, upper: upper! }
}

test('intervals of a bootstrap are those of its seed, lie in 0…1, widen with the confidence and narrow with the counts', () => {
  for (const others of [{}, { method: 'duration', exposures: [200, 200, 1] }]) {
    const one = bootstrap(moves, others)
    assert.deepEqual(bootstrap(moves, others), one)
    assert.notDeepEqual(bootstrap(moves, { ...others, random_state: 1 }).lower, one.lower)
    assert.deepEqual(
      generate(moves, { ...others, times: [0, 1, 4] }).default_probabilities,
      one.default_probabilities,
    )
    const narrow = bootstrap(moves, { ...others, confidence: 0.5 })
    const many = bootstrap(
      moves.map((row) => row.map((count) => 100 * count)),
      { ...others, ...('exposures' in others && { exposures: [2e4, 2e4, 1] }) },
    )
    one.lower.forEach((row, at) => {
      row.forEach((lower, rating) => {
        const upper = one.upper[at][rating]
        assert.ok(lower >= 0 && lower <= upper && upper <= 1)
        assert.ok(narrow.lower[at][rating] >= lower && narrow.upper[at][rating] <= upper)
        if (upper > lower)
          near((many.upper[at][rating] - many.lower[at][rating]) / (upper - lower), 0.1, 0.04)
      })
    })
    assert.ok(one.lower[0].slice(0, -1).every((bound, rating) => bound === 0 && one.upper[0][rating] === 0))
    assert.ok(one.lower.every((row, at) => row.at(-1) === 1 && one.upper[at].at(-1) === 1))
  }
})

test('an interval of one rating holds the stated share of the binomial and of the Poisson distribution', () => {
  const samples = { times: [1], bootstrap_samples: 4_000 }
  const [chance, borrowers] = [0.1, 400]
  const cohort = bootstrap(
    [
      [borrowers * (1 - chance), borrowers * chance],
      [0, 0],
    ],
    samples,
  )
  const reach = 1.96 * Math.sqrt((chance * (1 - chance)) / borrowers)
  // A count of borrowers is the unit of the bounds.
  near(cohort.lower[0][0], chance - reach, 1.5 / borrowers)
  near(cohort.upper[0][0], chance + reach, 1.5 / borrowers)
  const rates = bootstrap(rows('0 40; 0 0'), { ...samples, method: 'duration', exposures: [400, 1] })
  const defaults = [rates.lower, rates.upper].map((bound) => -400 * Math.log1p(-bound[0][0]))
  // Quantiles of the Poisson distribution with mean 40.
  near(defaults[0], 28, 0.05)
  near(defaults[1], 53, 0.05)
})

test('counts that a bootstrap does not draw may be parts, and as many as they are', () => {
  const durations = { method: 'duration', exposures: [200, 200, 1] }
  const kept = bootstrap(moves, durations)
  const stays = moves.map((row, i) => row.map((count, j) => (i === j ? 1e12 + 0.5 : count)))
  assert.deepEqual(bootstrap(stays, durations).lower, kept.lower)
  const defaulted = moves.map((row, i) =>
    i === moves.length - 1 ? row.map((_, j) => (i === j ? 0.5 : 0)) : row,
  )
  assert.deepEqual(bootstrap(defaulted).upper, bootstrap(moves).upper)
})

test('a bootstrap of parts of borrowers, of too many, and of samples without a logarithm is refused', () => {
  assertRefused('counts.0.1', () => bootstrap(rows('9 0.5; 0 0')))
  assertRefused('samples', () => bootstrap(rows('1e12 1e9; 0 0')))
  assertRefused('samples', () => bootstrap(moves, { bootstrap_samples: 10_000, times: Array(100).fill(1) }))
  // Of few borrowers all may default in a sample.
  assertRefused('samples', () => bootstrap(rows('2 1; 0 0')))
})
