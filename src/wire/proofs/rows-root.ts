/** The root of the tree over the rows of a batch or of columns, which the content of their audit row ends with. */
import { leafBytes, leafPlaces, type ProvenRows, rowsOfLeaf, saltText } from '../receipt-check/proven-rows.ts'
import { digest, leafHash, treeRoot } from './hash.ts'

/** @param data the digest of the result */
export function rowsRoot({ count, leaf }: ProvenRows, data: string): string {
  const leaves = leafPlaces(count).map((place, index) =>
    digest(leafBytes(leaf(place, leafHash(saltText(data, index))))),
  )
  return treeRoot(leaves)
}

/** An estimate of the time that the root takes, in microseconds on one core. */
export const rowsRootMicros = (rows: number): number => 6 * Math.ceil(rows / rowsOfLeaf(rows)) + 0.1 * rows
