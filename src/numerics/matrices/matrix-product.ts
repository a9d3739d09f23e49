/** The inner loops of a matrix product in WebAssembly, which computes with two numbers at a time (SIMD). */
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
  i32Load,
  i32Multiply,
  i32ShiftLeft,
  i32Store,
  loopWhile,
  type Routine,
  set,
  v128AnyBit,
  v128Or,
  when,
} from './web-assembly.ts'

/** Side of the block of the product that is kept in registers. */
export const TILE = 4

const [left, right, target, side, list] = [0, 1, 2, 3, 4]
const [stride, leftEnd, rightEnd, leftTile, rightTile] = [5, 6, 7, 8, 9]
const [targetRows, targetTile, rightRow, item, listEnd] = [10, 11, 12, 13, 14]
const leftCell = [15, 16, 17, 18]
const offset = 19
const sum = [0, 1, 2, 3].map((row) => [20 + 2 * row, 21 + 2 * row])
const [firstPair, secondPair, factor] = [28, 29, 30]

/**
 * Parameters: the addresses of left, right and target, the side of all three, which is a multiple of TILE, and the
 * address of a list with room for one i32 per tile of a row.
 */
export const productRoutine: Routine = { parameters: 5, integers: 15, vectors: 11, body: productOfMatrices() }

/**
 * For each row of tiles of the left matrix, lists the tiles that are not all zero, because zeros add nothing. Then sums
 * each tile of the product in sixteen sums, held in eight pairs, each over the inner index in ascending order, so that
 * the result is bit for bit that of three plain loops.
 */
function productOfMatrices(): Code[] {
  return [
    [...get(side), ...i32Const(3), ...i32ShiftLeft, ...set(stride)],
    [...get(left), ...set(leftTile), ...get(target), ...set(targetRows)],
    [...get(left), ...get(side), ...get(stride), ...i32Multiply, ...i32Add, ...set(leftEnd)],
    [...get(right), ...get(stride), ...i32Add, ...set(rightEnd)],
    loopWhile(
      ...listTiles(),
      [...get(right), ...set(rightTile), ...get(targetRows), ...set(targetTile)],
      loopWhile(
        ...sumTile(),
        move(targetTile, i32Const(8 * TILE)),
        move(rightTile, i32Const(8 * TILE)),
        until(rightTile, rightEnd),
      ),
      move(targetRows, rows(TILE)),
      move(leftTile, rows(TILE)),
      until(leftTile, leftEnd),
    ),
  ]
}

/** Lists the byte offsets, within their row, of the tiles that are not all zero. */
function listTiles(): Code[] {
  const [first, ...others] = leftCell.flatMap((cell) => [
    [...get(cell), ...f64x2Load(0)],
    [...get(cell), ...f64x2Load(16)],
  ])
  return [
    [...i32Const(0), ...set(offset), ...get(list), ...set(listEnd)],
    loopWhile(
      ...toOffset(),
      [...first, ...others.flatMap((pair) => [...pair, ...v128Or]), ...v128AnyBit],
      when([...get(listEnd), ...get(offset), ...i32Store], move(listEnd, i32Const(4))),
      move(offset, i32Const(8 * TILE)),
      until(offset, stride),
    ),
  ]
}

/** Computes the tile of the product at `targetTile`. */
function sumTile(): Code[] {
  return [
    ...sum.flat().map((pair) => [...f64x2Zero, ...set(pair)]),
    [...get(list), ...set(item), ...until(item, listEnd)],
    when(
      loopWhile(
        [...get(item), ...i32Load, ...set(offset)],
        ...toOffset(),
        [...get(rightTile), ...get(offset), ...get(side), ...i32Multiply, ...i32Add, ...set(rightRow)],
        ...[0, 1, 2, 3].map(addStep),
        move(item, i32Const(4)),
        until(item, listEnd),
      ),
    ),
    [...get(targetTile), ...set(rightRow)],
    ...sum.map(storeRow),
  ]
}

/** Sets the left cells to the addresses at `offset` bytes in the four rows of the tile. */
function toOffset(): Code[] {
  return leftCell.map((cell, row) => {
    const above = row === 0 ? [...get(leftTile), ...get(offset)] : [...get(leftCell[row - 1]), ...get(stride)]
    return [...above, ...i32Add, ...set(cell)]
  })
}

function addStep(step: number): Code {
  return [
    ...[...get(rightRow), ...f64x2Load(0), ...set(firstPair)],
    ...[...get(rightRow), ...f64x2Load(16), ...set(secondPair)],
    ...leftCell.flatMap((cell, row) => [
      ...[...get(cell), ...f64x2LoadTwice(8 * step), ...set(factor)],
      ...addProduct(sum[row][0], firstPair),
      ...addProduct(sum[row][1], secondPair),
    ]),
    ...move(rightRow, get(stride)),
  ]
}

function addProduct(total: number, pair: number): Code {
  return [...get(total), ...get(factor), ...get(pair), ...f64x2Multiply, ...f64x2Add, ...set(total)]
}

function storeRow([first, second]: number[]): Code {
  return [
    ...[...get(rightRow), ...get(first), ...f64x2Store(0)],
    ...[...get(rightRow), ...get(second), ...f64x2Store(16)],
    ...move(rightRow, get(stride)),
  ]
}

function move(local: number, by: Code): Code {
  return [...get(local), ...by, ...i32Add, ...set(local)]
}

function rows(count: number): Code {
  return [...get(stride), ...i32Const(count), ...i32Multiply]
}

function until(local: number, end: number): Code {
  return [...get(local), ...get(end), ...i32Less]
}
