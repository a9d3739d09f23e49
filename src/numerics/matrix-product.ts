/** The inner loops of a matrix product, written in WebAssembly to calculate with two numbers at a time. */
import {
  type Code,
  f64x2Add,
  f64x2Load,
  f64x2LoadTwice,
  f64x2Multiply,
  f64x2Store,
  f64x2Zero,
  get,
  i32Add,
  i32Const,
  i32Less,
  i32Multiply,
  i32ShiftLeft,
  loopWhile,
  type Routine,
  set,
} from './web-assembly.ts'

/** Rows and columns of the block of the product that stays in registers. */
export const TILE = 4

/** Parameters: the addresses of left, right and target, and the side of all three, a multiple of TILE. */
export const productRoutine: Routine = { parameters: 4, integers: 13, vectors: 11, body: productOfMatrices() }

/**
 * For each tile of the product: sixteen sums in eight pairs, each over the inner index in its order, so that the result
 * is to the last bit that of the three plain loops.
 */
function productOfMatrices(): Code[] {
  const [left, right, target, side, stride, leftEnd, rightEnd] = [0, 1, 2, 3, 4, 5, 6]
  const [leftTile, rightTile, targetRows, targetTile, rightRow] = [7, 8, 9, 10, 11]
  const leftCell = [12, 13, 14, 15]
  const leftRowEnd = 16
  const sum = [0, 1, 2, 3].map((row) => [17 + 2 * row, 18 + 2 * row])
  const [firstPair, secondPair, factor] = [25, 26, 27]
  const move = (local: number, by: Code): Code => [...get(local), ...by, ...i32Add, ...set(local)]
  const rows = (count: number): Code => [...get(stride), ...i32Const(count), ...i32Multiply]
  const until = (local: number, end: number): Code => [...get(local), ...get(end), ...i32Less]

  const addRow = (row: number, step: number): Code => [
    ...[...get(leftCell[row]), ...f64x2LoadTwice(8 * step), ...set(factor)],
    ...[firstPair, secondPair].flatMap((pair, half) => [
      ...get(sum[row][half]),
      ...[...get(factor), ...get(pair), ...f64x2Multiply, ...f64x2Add],
      ...set(sum[row][half]),
    ]),
  ]
  const addStep = (step: number): Code => [
    ...[...get(rightRow), ...f64x2Load(0), ...set(firstPair)],
    ...[...get(rightRow), ...f64x2Load(16), ...set(secondPair)],
    ...leftCell.flatMap((_, row) => addRow(row, step)),
    ...move(rightRow, get(stride)),
  ]
  const storeRow = (row: number): Code => [
    ...[...get(rightRow), ...get(sum[row][0]), ...f64x2Store(0)],
    ...[...get(rightRow), ...get(sum[row][1]), ...f64x2Store(16)],
    ...move(rightRow, get(stride)),
  ]
  const sumTile: Code[] = [
    ...leftCell.map((cell, row) => [...get(leftTile), ...rows(row), ...i32Add, ...set(cell)]),
    [...get(leftTile), ...get(stride), ...i32Add, ...set(leftRowEnd)],
    [...get(rightTile), ...set(rightRow)],
    ...sum.flat().map((pair) => [...f64x2Zero, ...set(pair)]),
    loopWhile(
      ...[0, 1, 2, 3].map(addStep),
      ...leftCell.map((cell) => move(cell, i32Const(8 * TILE))),
      until(leftCell[0], leftRowEnd),
    ),
    [...get(targetTile), ...set(rightRow)],
    ...leftCell.map((_, row) => storeRow(row)),
  ]
  return [
    [...get(side), ...i32Const(3), ...i32ShiftLeft, ...set(stride)],
    [...get(left), ...set(leftTile), ...get(target), ...set(targetRows)],
    [...get(left), ...get(side), ...get(stride), ...i32Multiply, ...i32Add, ...set(leftEnd)],
    [...get(right), ...get(stride), ...i32Add, ...set(rightEnd)],
    loopWhile(
      [...get(right), ...set(rightTile), ...get(targetRows), ...set(targetTile)],
      loopWhile(
        ...sumTile,
        move(targetTile, i32Const(32)),
        move(rightTile, i32Const(32)),
        until(rightTile, rightEnd),
      ),
      move(targetRows, rows(TILE)),
      move(leftTile, rows(TILE)),
      until(leftTile, leftEnd),
    ),
  ]
}
