/** The ROC curve of scores, and the distribution functions of both classes, with a vertex for each distinct score. */
import { visible } from '../pictures/sampling.ts'

interface Labelled {
  readonly y_true: ArrayLike<number>
  readonly y_score: ArrayLike<number>
  /** Empty: all rows count the same. */
  readonly weights?: ArrayLike<number>
}

/** The shares of each class with this score or a lower one. */
interface Shares {
  readonly score: number[]
  readonly good: number[]
  readonly bad: number[]
}

export interface RocCurve {
  /** null: no row counts as positive. */
  readonly score: (number | null)[]
  readonly falsePositive: number[]
  readonly truePositive: number[]
}

/**
 * `roc`: the curve from the highest score to the lowest. Tied scores give one straight line, so that the area counts a tie as one
 * half. `shares`: the share of each class with this score or a lower one, which are steps. Both have only the vertices to draw;
 * `all` has every vertex, for the CSV files. `gap`: the largest difference of the shares, at the score `at`.
 */
export function curves({ y_true, y_score, weights = [] }: Labelled) {
  const order = Uint32Array.from(y_score, (_, i) => i).sort((a, b) => y_score[a] - y_score[b])
  const weightOf = (row: number) => (weights.length === 0 ? 1 : weights[row])
  let [positives, negatives] = [0, 0]
  for (const row of order)
    if (y_true[row] === 1) positives += weightOf(row)
    else negatives += weightOf(row)
  const all: Shares = { score: [], good: [], bad: [] }
  const widest = { gap: -1, at: 0, goodAt: 0, badAt: 0 }
  let [bads, goods] = [0, 0]
  for (let i = 0; i < order.length; i++) {
    if (y_true[order[i]] === 1) bads += weightOf(order[i])
    else goods += weightOf(order[i])
    const score = y_score[order[i]]
    if (i + 1 < order.length && score === y_score[order[i + 1]]) continue
    const [good, bad] = [goods / negatives, bads / positives]
    all.score.push(score)
    all.good.push(good)
    all.bad.push(bad)
    // Compared in numbers of pairs, which are whole without weights, so that the widest gap is that of the answer.
    const gap = Math.abs(goods * positives - bads * negatives)
    if (gap > widest.gap) Object.assign(widest, { gap, at: score, goodAt: good, badAt: bad })
  }
  const roc = rocOf(all)
  return {
    ...widest,
    gap: widest.gap / (positives * negatives),
    rocAt: [1 - widest.goodAt, 1 - widest.badAt] as const,
    all,
    roc: picked(roc, visible([roc.falsePositive, roc.truePositive])),
    shares: stepsFrom0(picked(all, visible([all.score, all.good, all.bad]))),
    rows: y_true.length,
    positives,
    negatives,
  }
}

/** The ROC curve from (0, 0) to (1, 1): at `score`, rows with this or a higher score count as positive; null: no row does. */
function rocOf({ score, good, bad }: Shares): RocCurve {
  const roc: RocCurve = { score: [null], falsePositive: [0], truePositive: [0] }
  for (let i = score.length - 1; i >= 0; i--) {
    roc.score.push(score[i])
    roc.falsePositive.push(i === 0 ? 1 : 1 - good[i - 1])
    roc.truePositive.push(i === 0 ? 1 : 1 - bad[i - 1])
  }
  return roc
}

/** The rows of the CSV files, which have every vertex. */
export function tables({ all }: Pick<ReturnType<typeof curves>, 'all'>) {
  const roc = rocOf(all)
  return {
    roc: rowsOf({
      'Score from': roc.score,
      'False positive rate': roc.falsePositive,
      'True positive rate': roc.truePositive,
    }),
    shares: rowsOf({ Score: all.score, 'Label 0: no default': all.good, 'Label 1: default': all.bad }),
  }
}

function rowsOf(columns: Readonly<Record<string, readonly (number | null)[]>>) {
  const lists = Object.values(columns)
  return [Object.keys(columns), ...lists[0].map((_, i) => lists.map((list) => list[i]))]
}

const stepsFrom0 = ({ score, good, bad }: Shares): Shares => ({
  score: [score[0], ...score],
  good: [0, ...good],
  bad: [0, ...bad],
})

const picked = <Lists extends { readonly [Name in keyof Lists]: readonly (number | null)[] }>(
  lists: Lists,
  places: readonly number[],
): Lists =>
  Object.fromEntries(
    Object.entries<readonly (number | null)[]>(lists).map(([name, list]) => [
      name,
      places.map((i) => list[i]),
    ]),
  ) as unknown as Lists
