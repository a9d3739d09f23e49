/** The endpoints of rating migration: transition probabilities by cohorts, and rates in continuous time. */
import {
  MAX_BOOTSTRAP_SAMPLES,
  MAX_NUMBERS,
  MAX_PERIODS,
  MAX_RATINGS,
  MAX_TIMES,
} from '../../../base/limits/callers.ts'
import { Type } from '../../../base/type.ts'
import { DomainError } from '../../../numerics/domain-error.ts'
import { flatten, inverseMicros, productMicros } from '../../../numerics/matrices/matrix.ts'
import { isDrawn } from '../../../numerics/matrices/migration-bootstrap.ts'
import { generatorMethods } from '../../../numerics/matrices/migration-generator.ts'
import { generator, migration } from '../../../numerics/results/credit.ts'
import { operation } from '../operation.ts'
import { limitWork } from '../request-limits.ts'
import { exactly, integer, matrix, number, oneOf, vectorOrNone, withDefault, yesOrNo } from '../schema.ts'

/** Products of such probabilities are below the normal doubles, and take a processor up to thirty times as long. */
const LEAST_USUAL = 1e-130

const hasTiny = (transitions: readonly (readonly number[])[]): boolean =>
  transitions.some((row) => {
    const least = LEAST_USUAL * Math.max(...row)
    return row.some((count) => count > 0 && count < least)
  })

export const migrationOperation = operation({
  path: '/quantlib/ml/credit/migration',
  title: 'Rating migration matrix',
  summary:
    'Transition probabilities from counts (cohort method) and their projection over several periods as a Markov chain. A rating without counts is absorbing.',
  input: exactly({
    transitions: matrix(
      'counts, a row per from-rating; square, a column per to-rating',
      { minimum: 0 },
      MAX_RATINGS,
      MAX_RATINGS,
    ),
    periods: withDefault(integer('to project; number of periods', 1, MAX_PERIODS), 1),
  }),
  output: exactly({
    transition_matrix: matrix('over one period; each row sums to 1'),
    multi_period_matrix: matrix('over the periods; each row sums to 1'),
  }),
  example: {
    input: {
      transitions: [
        [3, 1],
        [0, 0],
      ],
      periods: 2,
    },
    output: {
      transition_matrix: [
        [0.75, 0.25],
        [0, 1],
      ],
      multi_period_matrix: [
        [0.5625, 0.4375],
        [0, 1],
      ],
    },
  },
  work: ({ transitions, periods }) => {
    const { length } = transitions
    return 20 + 0.15 * length ** 2 + (hasTiny(transitions) ? 0.01 : 0.0012) * length ** 3 * Math.log2(periods)
  },
  fields: { counts: 'transitions' },
  compute: ({ transitions, periods }) => migration({ transitions: flatten(transitions, 'counts'), periods }),
})

const probabilities = (description: string) => ({
  ...matrix(description, { minimum: 0, maximum: 1 }),
  minItems: 0,
})

type Transitions = readonly (readonly number[])[]

/** Estimated microseconds of a logarithm: up to two hundred steps of roots, each with a product and an inverse. */
function logarithmWork(transitions: Transitions): number {
  const ratings = transitions.length
  const steps = isMostlyKept(transitions) ? 45 : 130
  return 30 + 0.3 * ratings ** 2 + steps * (productMicros(ratings) + inverseMicros(ratings))
}

/** Estimated microseconds of the probabilities: about thirty products for one step of time, and one for each doubling of it. */
function probabilitiesWork(request: GeneratorRequest): number {
  const { transitions, times } = request
  const ratings = transitions.length
  const steps = largestRate(request) * times.reduce((most, time) => Math.max(most, time), 0)
  const doublings = Math.min(50, Math.max(0, Math.log2(steps) + 2))
  return (
    30 +
    (30 + doublings) * productMicros(ratings) +
    times.length * (5 + (0.03 + 0.001 * doublings) * ratings ** 2)
  )
}

/** An upper bound of the rate at which a rating is left, but for logarithms of matrices in which little is kept. */
function largestRate({ transitions, exposures, method }: GeneratorRequest): number {
  if (method === 'logarithm') return isMostlyKept(transitions) ? 2 : 1e15
  const rates = transitions.map((row, from) => row.reduce((sum, count) => sum + count, 0) / exposures[from])
  return rates.filter(Number.isFinite).reduce((most, rate) => Math.max(most, rate), 0)
}

/** Whether at least half of each rating stays in it: then all eigenvalues are far from 0, and roots take few steps. */
const isMostlyKept = (transitions: Transitions): boolean =>
  transitions.every((row, own) => 2 * row[own] >= row.reduce((sum, count) => sum + count, 0))

interface GeneratorRequest {
  readonly transitions: Transitions
  readonly exposures: readonly number[]
  readonly method: (typeof generatorMethods)[number]
  readonly times: readonly number[]
  readonly bootstrap_samples: number
}

/** Estimated microseconds: for each sample the drawing of its borrowers, a generator and its probabilities, which are sorted. */
function bootstrapWork(request: GeneratorRequest): number {
  const { transitions, method, times, bootstrap_samples: samples } = request
  if (samples === 0) return 0
  const ratings = transitions.length
  const drawnOf = (row: readonly number[], from: number) =>
    row.reduce((all, count, to) => all + (isDrawn(from, to, ratings, method) ? count : 0), 0)
  const borrowers = transitions.reduce((sum, row, from) => sum + drawnOf(row, from), 0)
  const drawing = 1 + 0.2 * ratings ** 2 + 0.0003 * ratings * borrowers
  const generator = method === 'duration' ? 0.03 * ratings ** 2 : logarithmWork(transitions)
  const sorting = 0.3 * times.length * ratings
  return samples * (drawing + generator + probabilitiesWork(request) + sorting)
}

function limitBootstrap(input: GeneratorRequest): void {
  const { transitions, times, bootstrap_samples: samples } = input
  limitWork(bootstrapWork(input), 'samples', 'for these ratings and counts')
  const kept = samples * times.length * transitions.length
  if (kept > MAX_NUMBERS)
    throw new DomainError(
      'samples',
      `give ${kept} probabilities for these times and ratings; at most ${MAX_NUMBERS} are allowed: use fewer`,
    )
}

export const migrationGeneratorOperation = operation({
  path: '/quantlib/ml/credit/migration-generator',
  title: 'Rating migration generator',
  summary:
    'Rates of rating migration in continuous time, and probabilities of default. By the logarithm of the cohort matrix (Israel, Rosenthal & Wei 2001), each row replaced by the nearest of a generator (Kreinin & Sidelnikova 2001), or by durations: transitions per rating-year. The last rating is default, and absorbing.',
  input: exactly({
    transitions: matrix(
      'counts of a year, square; the last rating is default',
      { minimum: 0 },
      MAX_RATINGS,
      MAX_RATINGS,
    ),
    exposures: withDefault(
      vectorOrNone('years in each rating; for duration', number('rating-years', { minimum: 0 }), MAX_RATINGS),
      [],
    ),
    method: withDefault(
      oneOf(
        generatorMethods,
        'by the cohort matrix or exposures; the rates of duration ignore the diagonal of transitions',
      ),
      'logarithm',
    ),
    times: withDefault(
      vectorOrNone('years', number('time', { minimum: 0, maximum: MAX_PERIODS }), MAX_TIMES),
      [1, 2, 3, 5, 7, 10],
    ),
    bootstrap_samples: withDefault(
      integer('for intervals; samples of the moves; 0: none', 0, MAX_BOOTSTRAP_SAMPLES),
      0,
    ),
    confidence: withDefault(number('of intervals', { exclusiveMinimum: 0, exclusiveMaximum: 1 }), 0.95),
    random_state: withDefault(
      integer('seed; of the samples', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      0,
    ),
  }),
  output: exactly({
    generator: matrix('rates per year; from row to column, each row sums to 0'),
    embeddable: yesOrNo(
      'whether the logarithm is a generator; the principal one of the cohort matrix, with its diagonal',
    ),
    default_probabilities: probabilities('a row per time; a column per rating'),
    warning: Type.Optional(
      Type.String({ description: 'ratings without default; here, though transitions lead to it' }),
    ),
    default_probabilities_lower: Type.Optional(probabilities('bounds; the lower ones')),
    default_probabilities_upper: Type.Optional(probabilities('bounds; the upper ones')),
  }),
  example: {
    input: {
      transitions: [
        [90, 8, 2],
        [10, 80, 10],
        [0, 0, 1],
      ],
      times: [0.5, 1, 5],
    },
    output: {
      generator: [
        [-0.11072768525369232, 0.09457759765022135, 0.016150087603470975],
        [0.11822199706277667, -0.228949682316469, 0.11072768525369232],
        [0, 0, 0],
      ],
      embeddable: true,
      default_probabilities: [
        [0.009096754425073631, 0.05256216700706613, 1],
        [0.019999999999999993, 0.10000000000000002, 1],
        [0.14216248000000004, 0.35704280000000005, 1],
      ],
    },
  },
  work: (input) => logarithmWork(input.transitions) + probabilitiesWork(input) + bootstrapWork(input),
  fields: { counts: 'transitions', samples: 'bootstrap_samples' },
  compute: (input) => {
    const transitions = flatten(input.transitions, 'counts')
    if (input.bootstrap_samples > 0) limitBootstrap(input)
    return generator({ ...input, transitions })
  },
})
