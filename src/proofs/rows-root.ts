/** The root of the tree over the rows of a batch or of columns, which the content of their audit row ends with. */
import { leafBytes, leafPlaces, type ProvenRows, saltText } from '../receipt-check/proven-rows.ts'
import { digest, leafHash, treeRoot } from './hash.ts'

/** @param data digest of the result */
export function rowsRoot({ count, leaf }: ProvenRows, data: string): string {
  const leaves = leafPlaces(count).map((place, index) =>
    digest(leafBytes(leaf(place, leafHash(saltText(data, index))))),
  )
  return treeRoot(leaves)
}
