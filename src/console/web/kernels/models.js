/** From tables and results to the few numbers that a picture shows. Runs in the page, or in the worker for large tables. */
import { outlierFences } from '../../../numerics/statistics/outlier-fences.ts'
import { histogram } from '../pictures/sampling.js'
import { columnOf } from './column-of.js'
import { discrimination, forest, migration, outliers } from './tables.js'

const MOST_COLUMNS = 24
const MOST_POINTS = 400
const MOST_DOTS = 2_000
const MOST_STEPS = 500

/**
 * Per operation: `preview(values)`, which a generator computes in steps, and `model(values, result)`, where result is that of the preview or of
 * the service.
 */
export const models = {
  mlPreprocessingOutliers: {
    preview: outliers,
    model: strips,
    resultOf: ({ outliers }) => ({ flags: new Uint8Array(outliers) }),
  },
  mlClusteringIsolationForest: {
    preview: forest,
    model: scoreShape,
    resultOf: ({ anomaly_scores, threshold }) => ({ scores: new Float64Array(anomaly_scores), threshold }),
  },
  mlCreditDiscrimination: { preview: discrimination, model: curves, resultOf: (data) => data },
  mlCreditMigration: { preview: migration, model: defaults, resultOf: (data) => data },
}

/** Per column its bins, its fences and the values beyond them. */
function strips({ X, method, threshold }, { flags }) {
  let flagged = 0
  for (const flag of flags) flagged += flag
  const columns = Array.from({ length: Math.min(X.columns, MOST_COLUMNS) }, (_, column) => {
    const values = columnOf(X, column)
    const fences = outlierFences[method](values.slice(), threshold)
    const centre = fences === undefined ? 0 : fences.centre + fences.offset
    const { edges, counts } = histogram(values, 48)
    const beyond = []
    const inside = []
    for (let row = 0; row < values.length; row++) {
      const isBeyond =
        fences !== undefined && Math.abs(values[row] - fences.centre - fences.offset) > fences.reach
      if (isBeyond && beyond.length < MOST_POINTS) beyond.push(values[row])
      if (!isBeyond && values.length <= MOST_POINTS) inside.push(values[row])
    }
    return {
      ...{ edges, counts, beyond, inside, min: edges[0], max: edges.at(-1) },
      ...(fences === undefined ? {} : { lower: centre - fences.reach, upper: centre + fences.reach }),
    }
  })
  return { columns, flagged, rows: X.rows }
}

/** The distribution of the scores, and a sample of the rows with every anomaly that fits into it. */
function scoreShape({ X }, { scores, threshold }) {
  let flagged = 0
  for (const score of scores) if (score > threshold) flagged++
  const { edges, counts } = histogram(scores, Math.min(60, Math.max(8, Math.ceil(Math.sqrt(scores.length)))))
  const normalStep = Math.max(1, Math.ceil((scores.length - flagged) / (MOST_DOTS / 2)))
  const flaggedStep = Math.max(1, Math.ceil(flagged / (MOST_DOTS / 2)))
  const rows = []
  let normal = 0
  let anomalies = 0
  for (let row = 0; row < scores.length; row++) {
    const isTaken = scores[row] > threshold ? anomalies++ % flaggedStep === 0 : normal++ % normalStep === 0
    if (isTaken) rows.push(row)
  }
  return { edges, counts, threshold, flagged, rows: X.rows, sample: Uint32Array.from(rows) }
}

/** The ROC curve and the distribution functions of both classes, at no more than MOST_STEPS places. */
function curves({ y_true, y_score }) {
  const order = Uint32Array.from(y_score, (_, i) => i).sort((a, b) => y_score[b] - y_score[a])
  let positives = 0
  for (const label of y_true) positives += label
  const negatives = y_true.length - positives
  const step = Math.max(1, Math.floor(order.length / MOST_STEPS))
  const made = {
    falsePositive: [0],
    truePositive: [0],
    score: [],
    good: [],
    bad: [],
    gap: 0,
    at: 0,
    goodAt: 0,
    badAt: 0,
  }
  let hits = 0
  let misses = 0
  for (let i = 0; i < order.length; i++) {
    y_true[order[i]] === 1 ? hits++ : misses++
    if (y_score[order[i]] === y_score[order[i + 1]]) continue
    const [bad, good] = [hits / positives, misses / negatives]
    if (Math.abs(bad - good) > made.gap)
      Object.assign(made, {
        gap: Math.abs(bad - good),
        at: y_score[order[i]],
        goodAt: 1 - good,
        badAt: 1 - bad,
        rocAt: [good, bad],
      })
    if (i % step !== 0 && i !== order.length - 1 && order.length > MOST_STEPS) continue
    made.falsePositive.push(good)
    made.truePositive.push(bad)
    made.score.push(y_score[order[i]])
    // The share of each class with a lower score.
    made.good.push(1 - good)
    made.bad.push(1 - bad)
  }
  for (const name of ['score', 'good', 'bad']) made[name].reverse()
  return { ...made, rows: y_true.length, positives }
}

const MOST_PERIODS = 60

/** Probability of being in the last rating after each period, from each rating: cumulative default where it is absorbing. */
function defaults({ transitions: { rows: size }, periods }, { transition_matrix: matrix }) {
  const last = size - 1
  const step = Math.max(1, Math.ceil(periods / MOST_PERIODS))
  const periodsShown = [0]
  const curves = Array.from({ length: size }, (_, i) => [i === last ? 1 : 0])
  if (size ** 2 * periods > 2e7) return { periods: [], curves: [] }
  let current = curves.map(([value]) => value)
  for (let period = 1; period <= periods; period++) {
    current = matrix.map((row) => row.reduce((sum, p, to) => sum + p * current[to], 0))
    if (period % step !== 0 && period !== periods) continue
    periodsShown.push(period)
    for (const [i, value] of current.entries()) curves[i].push(value)
  }
  return { periods: periodsShown, curves }
}
