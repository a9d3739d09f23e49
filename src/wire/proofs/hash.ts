/** Hashes of texts and of Merkle trees (RFC 6962, section 2.1), as lower-case hexadecimal digits by default. */
import { createHash, hash } from 'node:crypto'

/** `binary`: a character for each byte, which is read and written faster. */
type Spelling = 'hex' | 'binary'

/** SHA-256 of bytes or of a text in UTF-8. */
export const digest = (of: string | Uint8Array, spelling: Spelling = 'hex'): string =>
  hash('sha256', of, spelling)

/** SHA-256 of bytes in several pieces. */
export function digestOf(pieces: readonly Uint8Array[]): string {
  const whole = createHash('sha256')
  for (const piece of pieces) whole.update(piece)
  return whole.digest('hex')
}

/** The hash of a leaf: a byte 0 before the text, so that no leaf can pass for a node. */
export const leafHash = (text: string): string => digest(`\0${text}`)

const pair = Buffer.alloc(65)
pair[0] = 1

/** The hash of a node over two others. */
function nodeHash(left: string, right: string, spelling: Spelling): string {
  pair.write(left, 1, 32, spelling)
  pair.write(right, 33, 32, spelling)
  return digest(pair, spelling)
}

/** The root of a tree of at least one leaf. */
export function treeRoot(leaves: readonly string[], spelling: Spelling = 'hex'): string {
  let level = leaves
  while (level.length > 1) level = above(level, spelling)
  return level[0]
}

function above(level: readonly string[], spelling: Spelling): string[] {
  const next: string[] = []
  for (let at = 0; at + 1 < level.length; at += 2) next.push(nodeHash(level[at], level[at + 1], spelling))
  // A node without a partner moves up unchanged. This gives the tree of RFC 6962, which splits at the largest power of two.
  if (level.length % 2 === 1) next.push(level[level.length - 1])
  return next
}

/** The hashes that give the root together with a leaf, from the leaf's level upwards. */
export function treePath(leaves: readonly string[], index: number): string[] {
  const path: string[] = []
  let [level, place] = [leaves, index]
  while (level.length > 1) {
    const partner = place ^ 1
    if (partner < level.length) path.push(level[partner])
    level = above(level, 'hex')
    place >>= 1
  }
  return path
}
