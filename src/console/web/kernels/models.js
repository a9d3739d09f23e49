/** From tables and results to the few numbers that a picture shows. Runs in the page, or in the worker for large tables. */
import { readModel } from '../../../numerics/forest/forest-model.ts'
import { finished, forestScores } from '../../../numerics/forest/forest-scores.ts'
import { defaultProbabilities } from '../../../numerics/matrices/default-probabilities.ts'
import { flatten } from '../../../numerics/matrices/matrix.ts'
import { outlierFences } from '../../../numerics/statistics/outlier-fences.ts'
import { outliers as outliersOf } from '../../../numerics/statistics/outliers.ts'
import { discrimination, generator, migration, stability, validation } from '../../../results/credit.ts'
import { evenly, evenSample, histogram } from '../pictures/sampling.js'
import { visible } from '../pictures/thinning.js'
import { curves } from './discrimination-curves.js'
import { counted, forest, forestFit, forestScore, outliers, scored } from './tables.js'

const MOST_COLUMNS = 24
const MOST_POINTS = 400
const MOST_DOTS = 2_000
/** Places along a strip at which dots can be told apart. */
const DOT_PLACES = 2_048
/** Steps of the chain of ratings that take less than a tenth of a second. */
const MOST_WORK = 2e7

/**
 * Per operation on tables: `preview(values)`, which a generator computes in steps; `resultOf(data, values)`, the same of a
 * reply; and `model(values, result)`, where result is either.
 */
export const models = {
  mlPreprocessingOutliers: {
    preview: outliers,
    model: strips,
    resultOf: ({ outliers }) => counted(new Uint8Array(outliers)),
  },
  mlClusteringIsolationForest: {
    preview: forest,
    model: scoreShape,
    resultOf: ({ anomaly_scores, threshold }) => scored(new Float64Array(anomaly_scores), threshold),
  },
  mlClusteringIsolationForestFit: {
    preview: forestFit,
    model: scoreShape,
    // The reply has no scores: those of the rows by its model.
    resultOf: (data, { X }) => ({
      ...data,
      ...scored(finished(forestScores(X, readModel(data.model).forest)), data.threshold),
    }),
  },
  mlClusteringIsolationForestScore: {
    preview: forestScore,
    model: scoredShape,
    resultOf: ({ anomaly_scores, attributions: shares }, { model }) => ({
      ...scored(new Float64Array(anomaly_scores), readModel(model).threshold),
      ...(shares && { shares: Float64Array.from(shares.flat()) }),
    }),
  },
  mlCreditDiscrimination: { preview: discrimination, model: curves, resultOf: (data) => data },
  mlCreditValidation: { preview: validation, model: rocBand, resultOf: (data) => data },
  mlCreditStability: { preview: stability, model: () => null, resultOf: (data) => data },
  mlCreditMigrationGenerator: { preview: generator, model: termStructure, resultOf: (data) => data },
  mlCreditMigration: { preview: migration, model: defaults, resultOf: (data) => data },
}

/**
 * Per column its bins, its fences and the values beyond them, which are those that the answer flags. `distances`: of each row,
 * the largest from a middle of the fences in units of their reach; those above 1 are flagged.
 */
function strips({ X, method, threshold }) {
  const distances = new Float64Array(X.rows)
  const columns = []
  for (let column = 0; column < X.columns; column++) {
    const values = columnOf(X, column)
    const fences = outlierFences[method](values.slice(), threshold)
    if (fences !== undefined) widen(distances, values, fences)
    if (column < MOST_COLUMNS) columns.push(stripOf(values, fences, { method, threshold }))
  }
  return { columns, distances }
}

function stripOf(values, fences, { method, threshold }) {
  const rows = values.length
  const { edges, counts } = histogram(values, 48)
  const isBeyond = outliersOf({ values, rows, columns: 1 }, method, threshold)
  const centre = fences === undefined ? 0 : fences.centre + fences.offset
  return {
    edges,
    counts,
    min: edges[0],
    max: edges.at(-1),
    beyond: distinct(values.filter((_, row) => isBeyond[row] === 1)),
    inside: rows <= MOST_POINTS ? Array.from(values.filter((_, row) => isBeyond[row] === 0)) : [],
    ...(fences === undefined ? {} : { lower: centre - fences.reach, upper: centre + fences.reach }),
  }
}

function columnOf({ values, rows, columns }, column) {
  const made = new Float64Array(rows)
  for (let row = 0; row < rows; row++) made[row] = values[row * columns + column]
  return made
}

/** Without a reach, each other value is infinitely far. */
function widen(distances, values, { centre, offset, reach }) {
  for (let row = 0; row < values.length; row++) {
    const from = Math.abs(values[row] - centre - offset)
    const distance = from === 0 ? 0 : from / reach
    if (distance > distances[row]) distances[row] = distance
  }
}

/** All values where they are few; else one for each place at which a dot can be seen. */
function distinct(values) {
  if (values.length <= MOST_POINTS) return Array.from(values)
  const { binOf } = histogram(values, DOT_PLACES)
  return [...new Map(Array.from(values, (value) => [binOf(value), value])).values()]
}

/** The distribution of the scores, the part of it above the threshold, and a sample of the rows, each as likely as the others. */
function scoreShape({ X }, { scores, threshold }) {
  const { edges, counts, binOf } = histogram(
    scores,
    Math.min(60, Math.max(8, Math.ceil(Math.sqrt(scores.length)))),
  )
  const above = counts.map(() => 0)
  for (const score of scores) if (score > threshold) above[binOf(score)]++
  return { edges, counts, above, sample: evenSample(X.rows, MOST_DOTS) }
}

/** With the attributions of the most anomalous row, and those of all rows on average. */
function scoredShape({ X }, { scores, threshold, shares }) {
  const shape = scoreShape({ X }, { scores, threshold })
  if (shares === undefined) return shape
  const first = scores.indexOf(scores.reduce((most, score) => Math.max(most, score)))
  const mean = new Array(X.columns).fill(0)
  for (let cell = 0; cell < shares.length; cell++) mean[cell % X.columns] += shares[cell] / X.rows
  const own = Array.from(shares.subarray(first * X.columns, (first + 1) * X.columns))
  return { ...shape, row: first, own, mean }
}

/**
 * The curve, and how far a band reaches that holds it with the confidence: the bands of both distribution functions, each of the
 * confidence's root (Campbell 1994), by the bound of Massart (1990).
 */
function rocBand({ y_true, y_prob, confidence, weights }) {
  const made = curves({ y_true, y_score: y_prob, weights })
  const reach = (count) => Math.sqrt(Math.log(2 / (1 - Math.sqrt(confidence))) / (2 * count))
  return { ...made, reach: [reach(made.negatives), reach(made.positives)] }
}

/** Probability of being in the last rating after each period, from each rating: cumulative default where it is absorbing. */
function defaults(
  { transitions: { rows: size }, periods },
  { transition_matrix: matrix, multi_period_matrix: end },
) {
  const last = size - 1
  const curves = Array.from({ length: size }, (_, i) => [i === last ? 1 : 0])
  if (size ** 2 * periods > MOST_WORK) return { periods: [], curves: [], shown: [] }
  let current = curves.map(([value]) => value)
  for (let period = 1; period <= periods; period++) {
    // The last one is that of the answer, which multiplies matrices in another order.
    current =
      period === periods
        ? end.map((row) => row[last])
        : matrix.map((row) => row.reduce((sum, p, to) => sum + p * current[to], 0))
    for (const [i, value] of current.entries()) curves[i].push(value)
  }
  const all = Array.from({ length: periods + 1 }, (_, period) => period)
  return { periods: all, curves, shown: visible([all, ...curves]) }
}

/** Probabilities of default between now and the longest time, from each rating, by the generator of the answer. */
function termStructure({ times }, { generator: rows }) {
  const longest = Math.max(...times, 1e-9)
  const places = evenly(0, longest, 81)
  const found = defaultProbabilities(flatten(rows, 'generator'), places)
  const curves = rows.map((_, rating) => places.map((_, i) => found.values[i * rows.length + rating]))
  return { places, curves }
}
