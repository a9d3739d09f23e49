/** Which columns tell a row apart, from the tests on its paths. */
import type { Matrix } from '../matrices/matrix.ts'
import { averagePaths, type Forest, GRID, rowsByPath } from './forest-scores.ts'
import type { IsolationTree } from './isolation-tree.ts'

/**
 * For each row its mean path length divided among the columns. The tests of a path share its length in proportion to how much
 * each shortened the path that was to be expected, c(rows at the node) − c(rows at its child), because a test that leaves the
 * row with few others tells it apart, and one that leaves it with nearly all of them does not. Shares are multiples of the
 * grid, of which the last test gets the rest: sums over the trees are exact, and those over the columns of a row are its
 * mean path length but for the rounding of one division each. A tree without tests counts for all columns alike.
 */
export function attributions(data: Matrix, { trees, sampleSize }: Forest): Matrix {
  const shares = new Float64Array(data.rows * data.columns)
  const paths = averagePaths(sampleSize)
  const rowsAt = rowsByPath(paths)
  for (const tree of trees) {
    const expected = expectedPaths(tree, paths, rowsAt)
    for (let row = 0; row < data.rows; row++) addShares(data, tree, expected, row, shares)
  }
  for (let cell = 0; cell < shares.length; cell++) shares[cell] /= trees.length
  return { ...data, values: shares }
}

/** By node, the path to be expected below it. */
function expectedPaths(tree: IsolationTree, paths: Float64Array, rowsAt: Map<number, number>): Float64Array {
  const { depth, split, path } = tree
  const expected = new Float64Array(path.length)
  const visit = (node: number, level: number): number => {
    const rows =
      level === depth || split[node] === Infinity
        ? (rowsAt.get(path[node * 2 ** (depth - level)] - level) ?? 1)
        : visit(2 * node, level + 1) + visit(2 * node + 1, level + 1)
    expected[node] = paths[rows]
    return rows
  }
  visit(1, 0)
  return expected
}

const onGrid = (length: number): number => Math.floor(length * GRID) / GRID
const tested = new Uint16Array(32)
const gains = new Float64Array(32)

function addShares(
  { values, columns }: Matrix,
  { depth, column, split, path }: IsolationTree,
  expected: Float64Array,
  row: number,
  shares: Float64Array,
): void {
  const start = row * columns
  let node = 1
  let level = 0
  for (; level < depth && split[node] !== Infinity; level++) {
    const child = 2 * node + +(values[start + column[node]] > split[node])
    tested[level] = column[node]
    gains[level] = expected[node] - expected[child]
    node = child
  }
  let rest = path[node * 2 ** (depth - level)]
  const length = rest
  const total = expected[1] - expected[node]
  const parts = level === 0 ? columns : level
  for (let part = 0; part < parts - 1; part++) {
    const share = onGrid(level === 0 ? length / columns : (length * gains[part]) / total)
    shares[start + (level === 0 ? part : tested[part])] += share
    rest -= share
  }
  shares[start + (level === 0 ? columns - 1 : tested[level - 1])] += rest
}
