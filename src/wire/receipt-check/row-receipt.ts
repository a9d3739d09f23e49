/** Makes the receipt of one row of a batch or of columns, which does not show the rows of other leaves. */
import { contentOf } from './content.ts'
import { givenColumns } from './given-columns.ts'
import {
  batchRows,
  type GivenRows,
  type LeafHead,
  leafBytes,
  leafPlaces,
  type RowLeaf,
  rowsOfLeaf,
  saltText,
} from './proven-rows.ts'
import { bytesOf, dataOf, fields, InvalidReceipt, opened } from './reading.ts'
import { leafHash, nodeHash, sha256 } from './web-hash.ts'

export interface RowReceipt {
  readonly quantd_row_receipt: 1
  readonly receipt: unknown
  readonly row: number
  readonly head: LeafHead
  /** For columns, lists by name; for a batch, the text of the calls. */
  readonly request: unknown
  readonly result: unknown
  /** The hashes that give the root together with the leaf, from the leaf's level upwards. */
  readonly path: readonly string[]
}

export interface RowOptions {
  /** The body of the request, as it was sent. */
  readonly request: string | Uint8Array
  /** The reply, as it was received, or its `data`. */
  readonly reply: string | Uint8Array
  /** The number of the row, from 0. */
  readonly row: number
}

const BATCH = '/quantlib/batch'

/** Rejects with InvalidReceipt. @param given the receipt of the call, or the reply that holds it: the JSON value, or its text */
export async function rowReceipt(given: unknown, options: RowOptions): Promise<RowReceipt> {
  const receipt = opened(given)
  const { content, path } = fields(receipt.leaf, 'leaf')
  const [request, data] = [bytesOf(options.request), dataOf(bytesOf(options.reply))]
  const digest = await sha256(data)
  if (typeof content !== 'string' || content.slice(0, 64) !== (await contentOf(request, data)))
    return refuse('the request or the reply is not that of the call')
  if (content.length === 64)
    return refuse('the call was not made with X-Row-Receipts: on, or is no batch and no columns')
  const { rows, values } = path === BATCH ? givenBatch(request, data) : givenColumns(request, data)
  const { row } = options
  if (!(Number.isSafeInteger(row) && row >= 0 && row < rows.count))
    return refuse(`the call has the rows 0 to ${rows.count - 1}`)
  const places = leafPlaces(rows.count)
  const index = Math.floor(row / rowsOfLeaf(rows.count))
  const leaves: RowLeaf[] = []
  for (const place of places) leaves.push(rows.leaf(place, await leafHash(saltText(digest, leaves.length))))
  const hashes = leaves.map((leaf) => sha256(leafBytes(leaf)))
  const { path: steps, root } = await pathOf(await Promise.all(hashes), index)
  if (root !== content.slice(64)) return refuse('the rows are not those of the call')
  const head = JSON.parse(leaves[index].head)
  return { quantd_row_receipt: 1, receipt, row, head, ...values(places[index]), path: steps }
}

function givenBatch(request: Uint8Array, data: Uint8Array): GivenRows {
  const rows = batchRows(request, data)
  return {
    rows,
    values(place) {
      const [calls, results] = rows.leaf(place, '').parts.map((part) => new TextDecoder().decode(part))
      return { request: calls, result: results }
    },
  }
}

/** The hashes that give the root together with a leaf, from the leaf's level upwards. */
async function pathOf(leaves: readonly string[], index: number): Promise<{ path: string[]; root: string }> {
  const path: string[] = []
  let [level, place] = [leaves, index]
  while (level.length > 1) {
    const partner = place ^ 1
    if (partner < level.length) path.push(level[partner])
    const above: string[] = []
    for (let at = 0; at < level.length; at += 2)
      above.push(at + 1 < level.length ? await nodeHash(level[at], level[at + 1]) : level[at])
    level = above
    place >>= 1
  }
  return { path, root: level[0] }
}

function refuse(reason: string): never {
  throw new InvalidReceipt(`No receipt of the row can be made: ${reason}.`)
}
