/** Reduces tables and results to the few numbers that a picture shows. Runs in the page, or for large tables in the worker. */
// @ts-nocheck: to be converted
import { readModel } from '../../../numerics/forest/forest-model.ts'
import { finished, forestScores } from '../../../numerics/forest/forest-scores.ts'
import { defaultProbabilities } from '../../../numerics/matrices/default-probabilities.ts'
import { flatten } from '../../../numerics/matrices/matrix.ts'
import {
  discrimination,
  generator,
  migration,
  stability,
  validation,
} from '../../../numerics/results/credit.ts'
import { outlierFences } from '../../../numerics/statistics/outlier-fences.ts'
import { outliers as outliersOf } from '../../../numerics/statistics/outliers.ts'
import { evenly, evenSample, histogram } from '../pictures/sampling.ts'
import { visible } from '../pictures/thinning.ts'
import { curves } from './discrimination-curves.ts'
import { counted, forest, forestFit, forestScore, outliers, scored } from './tables.ts'

const MOST_COLUMNS = 24
const MOST_POINTS = 400
const MOST_DOTS = 2_000
/** The number of places along a strip at which dots are distinguishable. */
const DOT_PLACES = 2_048
/** The most multiplications of the chain of ratings, which take less than a tenth of a second. */
const MOST_WORK = 2e7

/**
 * For each operation on tables: `preview(values)`, the result, or a generator that computes it in steps; `resultOf(data, values)`,
 * the same result from a reply; and `model(values, result)`, the numbers of the picture.
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
    // The reply has no scores, so the forest of its model computes those of the rows.
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
 * For each column, its bins, its fences and the values beyond them, which the answer flags. `distances`: for each row, the largest
 * distance of its values from the middle between the fences, in units of half their distance; rows above 1 are flagged.
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

/** Raises the distances of rows to those of one column. If both fences are equal, every other value is infinitely far. */
function widen(distances, values, { centre, offset, reach }) {
  for (let row = 0; row < values.length; row++) {
    const from = Math.abs(values[row] - centre - offset)
    const distance = from === 0 ? 0 : from / reach
    if (distance > distances[row]) distances[row] = distance
  }
}

/** All values if they are few; else one for each place at which a dot is distinguishable. */
function distinct(values) {
  if (values.length <= MOST_POINTS) return Array.from(values)
  const { binOf } = histogram(values, DOT_PLACES)
  return [...new Map(Array.from(values, (value) => [binOf(value), value])).values()]
}

/** The histogram of the scores, the counts above the threshold, and a sample of the rows, drawn with equal probability. */
function scoreShape({ X }, { scores, threshold }) {
  const { edges, counts, binOf } = histogram(
    scores,
    Math.min(60, Math.max(8, Math.ceil(Math.sqrt(scores.length)))),
  )
  const above = counts.map(() => 0)
  for (const score of scores) if (score > threshold) above[binOf(score)]++
  return { edges, counts, above, sample: evenSample(X.rows, MOST_DOTS) }
}

/** The same with the attributions of the most anomalous row, and the mean attributions of all rows. */
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
 * The ROC curve, and the half-widths of a band that contains it with the given confidence: those of bands around both distribution
 * functions, each with the square root of the confidence (Campbell 1994), by the bound of Massart (1990).
 */
function rocBand({ y_true, y_prob, confidence, weights }) {
  const made = curves({ y_true, y_score: y_prob, weights })
  const reach = (count) => Math.sqrt(Math.log(2 / (1 - Math.sqrt(confidence))) / (2 * count))
  return { ...made, reach: [reach(made.negatives), reach(made.positives)] }
}

/** The probability of the last rating after each period, from each rating: that of default, if the last rating is absorbing. */
function defaults(
  { transitions: { rows: size }, periods },
  { transition_matrix: matrix, multi_period_matrix: end },
) {
  const last = size - 1
  const curves = Array.from({ length: size }, (_, i) => [i === last ? 1 : 0])
  if (size ** 2 * periods > MOST_WORK) return { periods: [], curves: [], shown: [] }
  let current = curves.map(([value]) => value)
  for (let period = 1; period <= periods; period++) {
    // The last period has the values of the answer, which multiplies the matrices in another order.
    current =
      period === periods
        ? end.map((row) => row[last])
        : matrix.map((row) => row.reduce((sum, p, to) => sum + p * current[to], 0))
    for (const [i, value] of current.entries()) curves[i].push(value)
  }
  const all = Array.from({ length: periods + 1 }, (_, period) => period)
  return { periods: all, curves, shown: visible([all, ...curves]) }
}

/** The probabilities of default from each rating up to the longest time, by the generator of the answer. */
function termStructure({ times }, { generator: rows }) {
  const longest = Math.max(...times, 1e-9)
  const places = evenly(0, longest, 81)
  const found = defaultProbabilities(flatten(rows, 'generator'), places)
  const curves = rows.map((_, rating) => places.map((_, i) => found.values[i * rows.length + rating]))
  return { places, curves }
}
