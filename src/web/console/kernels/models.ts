/** Reduces tables and results to the few numbers that a picture shows. Runs in the page, or for large tables in the worker. */
import type {
  MlClusteringIsolationForestData,
  MlClusteringIsolationForestFitData,
  MlClusteringIsolationForestScoreData,
  MlCreditMigrationData,
  MlCreditMigrationGeneratorData,
  MlPreprocessingOutliersData,
} from '../../../../clients/typescript/types.ts'
import { readModel } from '../../../numerics/forest/forest-model.ts'
import { finished, forestScores } from '../../../numerics/forest/forest-scores.ts'
import { defaultProbabilities } from '../../../numerics/matrices/default-probabilities.ts'
import { flatten, type Matrix } from '../../../numerics/matrices/matrix.ts'
import {
  discrimination,
  generator,
  migration,
  stability,
  validation,
} from '../../../numerics/results/credit.ts'
import {
  counted as countedHistory,
  dayOfRow,
  type HistorySettings,
  placeOf,
  ratingPlaces,
} from '../../../numerics/results/rating-history.ts'
import { type Fences, outlierFences, outliers as outliersOf } from '../../../numerics/statistics/outliers.ts'
import type { Words } from '../data/request.ts'
import { evenly, evenSample, type Histogram, histogram, visible } from '../pictures/sampling.ts'
import { curves } from './discrimination-curves.ts'
import {
  counted,
  type FitRequest,
  type ForestRequest,
  forest,
  forestFit,
  forestScore,
  type OutlierRequest,
  outliers,
  type ScoredRows,
  type ScoreRequest,
  scored,
} from './tables.ts'

const MOST_COLUMNS = 24
const MOST_POINTS = 400
const MOST_DOTS = 2_000
/** The number of places along a strip at which dots are distinguishable. */
const DOT_PLACES = 2_048
/** The most multiplications of the chain of ratings, which take less than a tenth of a second. */
const MOST_WORK = 2e7

const same = <Data>(data: Data): Data => data

/**
 * For each operation on tables: `preview(values)`, the result, or a generator that computes it in steps; `resultOf(data, values)`,
 * the same result from a reply; and `model(values, result)`, the numbers of the picture.
 */
export const models = {
  mlPreprocessingOutliers: {
    preview: outliers,
    model: strips,
    resultOf: ({ outliers }: MlPreprocessingOutliersData) => counted(Uint8Array.from(outliers, Number)),
  },
  mlClusteringIsolationForest: {
    preview: forest,
    model: scoreShape,
    resultOf: ({ anomaly_scores, threshold }: MlClusteringIsolationForestData) =>
      scored(new Float64Array(anomaly_scores), threshold),
  },
  mlClusteringIsolationForestFit: {
    preview: forestFit,
    model: scoreShape,
    // The reply has no scores, so the forest of its model computes those of the rows.
    resultOf: (data: MlClusteringIsolationForestFitData, { X }: FitRequest) => ({
      ...data,
      ...scored(finished(forestScores(X, readModel(data.model).forest)), data.threshold),
    }),
  },
  mlClusteringIsolationForestScore: {
    preview: forestScore,
    model: scoredShape,
    resultOf: (
      { anomaly_scores, attributions: shares }: MlClusteringIsolationForestScoreData,
      { model }: ScoreRequest,
    ) => ({
      ...scored(new Float64Array(anomaly_scores), readModel(model).threshold),
      ...(shares && { shares: Float64Array.from(shares.flat()) }),
    }),
  },
  mlCreditDiscrimination: { preview: discrimination, model: curves, resultOf: same },
  mlCreditValidation: { preview: validation, model: rocBand, resultOf: same },
  mlCreditStability: { preview: stability, model: () => null, resultOf: same },
  mlCreditMigrationGenerator: { preview: generator, model: termStructure, resultOf: same },
  mlCreditMigration: { preview: migration, model: defaults, resultOf: same },
  mlCreditRatingHistory: { preview: history, model: () => null, resultOf: same },
}

/**
 * For each column, its bins, its fences and the values beyond them, which the answer flags. `distances`: for each row, the largest
 * distance of its values from the middle between the fences, in units of half their distance; rows above 1 are flagged. `farthest`: the
 * column of that value.
 */
function strips({ X, method, threshold }: OutlierRequest) {
  const farthest = { distances: new Float64Array(X.rows), farthest: new Int32Array(X.rows) }
  const columns: Strip[] = []
  for (let column = 0; column < X.columns; column++) {
    const values = columnOf(X, column)
    const fences = outlierFences[method](values.slice(), threshold)
    if (fences !== undefined) widen(farthest, column, values, fences)
    if (column < MOST_COLUMNS) columns.push(stripOf(values, fences, { method, threshold }))
  }
  return { columns, ...farthest }
}

export interface Strip extends Pick<Histogram, 'edges' | 'counts'> {
  readonly min: number
  readonly max: number
  /** The values that the answer flags, and the others if they are few, each with its row among those sent. */
  readonly beyond: readonly number[]
  readonly beyondRows: readonly number[]
  readonly inside: readonly number[]
  readonly insideRows: readonly number[]
  /** null: the values have none. */
  readonly fences: readonly [lower: number, upper: number] | null
}

function stripOf(
  values: Float64Array,
  fences: Fences | undefined,
  { method, threshold }: Pick<OutlierRequest, 'method' | 'threshold'>,
): Strip {
  const rows = values.length
  const { edges, counts } = histogram(values, 48)
  const isBeyond = outliersOf({ values, rows, columns: 1 }, method, threshold)
  const centre = fences === undefined ? 0 : fences.centre + fences.offset
  const all = Array.from(values.keys())
  const beyondRows = distinct(
    values,
    all.filter((row) => isBeyond[row] === 1),
  )
  const insideRows = rows <= MOST_POINTS ? all.filter((row) => isBeyond[row] === 0) : []
  return {
    edges,
    counts,
    min: edges[0],
    max: edges.at(-1)!,
    beyondRows,
    beyond: beyondRows.map((row) => values[row]),
    insideRows,
    inside: insideRows.map((row) => values[row]),
    fences: fences === undefined ? null : [centre - fences.reach, centre + fences.reach],
  }
}

function columnOf({ values, rows, columns }: Matrix, column: number): Float64Array {
  const made = new Float64Array(rows)
  for (let row = 0; row < rows; row++) made[row] = values[row * columns + column]
  return made
}

interface Farthest {
  readonly distances: Float64Array
  readonly farthest: Int32Array
}

/** Raises the distances of rows to those of one column. If both fences are equal, every other value is infinitely far. */
function widen(
  { distances, farthest }: Farthest,
  column: number,
  values: Float64Array,
  { centre, offset, reach }: Fences,
): void {
  for (let row = 0; row < values.length; row++) {
    const from = Math.abs(values[row] - centre - offset)
    const distance = from === 0 ? 0 : from / reach
    if (distance <= distances[row]) continue
    distances[row] = distance
    farthest[row] = column
  }
}

/** All rows if they are few; else one for each place at which the dot of its value is distinguishable. */
function distinct(values: Float64Array, rows: readonly number[]): readonly number[] {
  if (rows.length <= MOST_POINTS) return rows
  const { binOf } = histogram(
    rows.map((row) => values[row]),
    DOT_PLACES,
  )
  return [...new Map(rows.map((row) => [binOf(values[row]), row])).values()]
}

type Rows = Pick<ForestRequest, 'X'>

/** The histogram of the scores, the counts above the threshold, and a sample of the rows, drawn with equal probability. */
function scoreShape({ X }: Rows, { scores, threshold }: Pick<ScoredRows, 'scores' | 'threshold'>) {
  const { edges, counts, binOf } = histogram(
    scores,
    Math.min(60, Math.max(8, Math.ceil(Math.sqrt(scores.length)))),
  )
  const above = counts.map(() => 0)
  for (const score of scores) if (score > threshold) above[binOf(score)]++
  return { edges, counts, above, sample: evenSample(X.rows, MOST_DOTS) }
}

/** The same with the attributions of the most anomalous row, and the mean attributions of all rows. */
function scoredShape(
  { X }: Rows,
  { scores, threshold, shares }: ScoredRows & { readonly shares?: Float64Array },
) {
  const shape = scoreShape({ X }, { scores, threshold })
  if (shares === undefined) return shape
  const first = scores.indexOf(scores.reduce((most, score) => Math.max(most, score)))
  const mean = new Array<number>(X.columns).fill(0)
  for (let cell = 0; cell < shares.length; cell++) mean[cell % X.columns] += shares[cell] / X.rows
  const own = Array.from(shares.subarray(first * X.columns, (first + 1) * X.columns))
  return { ...shape, row: first, own, mean }
}

interface ProbabilityRequest {
  readonly y_true: Float64Array
  readonly y_prob: Float64Array
  readonly confidence: number
  readonly weights: Float64Array
}

/**
 * The ROC curve, and the half-widths of a band that contains it with the given confidence: those of bands around both distribution
 * functions, each with the square root of the confidence (Campbell 1994), by the bound of Massart (1990).
 */
function rocBand({ y_true, y_prob, confidence, weights }: ProbabilityRequest) {
  const made = curves({ y_true, y_score: y_prob, weights })
  const reach = (count: number) => Math.sqrt(Math.log(2 / (1 - Math.sqrt(confidence))) / (2 * count))
  return { ...made, reach: [reach(made.negatives), reach(made.positives)] as const }
}

interface HistoryRequest extends Omit<HistorySettings, 'withdrawn'> {
  readonly entities: Words
  readonly ratings: Words
  readonly dates?: Words
  readonly times?: Float64Array
  readonly withdrawn?: readonly string[]
}

/** The counts of a rating history, whose texts are read once each. */
function history({ entities, ratings, dates, times, withdrawn = [], ...settings }: HistoryRequest) {
  const all = { ...settings, withdrawn }
  const places = ratingPlaces(all)
  const ofWord = ratings.words.map((word, row) => placeOf(places, word, row))
  const days = dates?.words.map(dayOfRow)
  const rows = {
    entities: Uint32Array.from(entities.values),
    times: days === undefined ? times! : dates!.values.map((place) => days[place]),
    ratings: Uint16Array.from(ratings.values, (place) => ofWord[place]),
  }
  return countedHistory(rows, all, days === undefined ? 'years' : 'days')
}

/** The probability of the last rating after each period, from each rating: that of default, if the last rating is absorbing. */
function defaults(
  { transitions: { rows: size }, periods }: { readonly transitions: Matrix; readonly periods: number },
  { transition_matrix: matrix, multi_period_matrix: end }: MlCreditMigrationData,
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
function termStructure(
  { times }: { readonly times: readonly number[] },
  { generator: rows }: Pick<MlCreditMigrationGeneratorData, 'generator'>,
) {
  const longest = Math.max(...times, 1e-9)
  const places = evenly(0, longest, 81)
  const found = defaultProbabilities(flatten(rows, 'generator'), places)
  const curves = rows.map((_, rating) => places.map((_, i) => found.values[i * rows.length + rating]))
  return { places, curves }
}
