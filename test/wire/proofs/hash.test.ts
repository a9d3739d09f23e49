/** Trees of RFC 6962 against its own recursive definition, and the canonical text of a leaf against JSON. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { markedLeaf } from '../../../src/ledger/proofs/group.ts'
import { leafHash, treePath, treeRoot } from '../../../src/wire/proofs/hash.ts'

const sha256 = (...pieces: Uint8Array[]) => {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

/** Section 2.1: split at the largest power of two that is smaller than the number of leaves. */
function mth(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0])
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256(Buffer.of(1), mth(leaves.slice(0, split)), mth(leaves.slice(split)))
}

/** Section 2.1.1. */
function audited(leaves: readonly Buffer[], index: number): Buffer[] {
  if (leaves.length === 1) return []
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split ? [...audited(left, index), mth(right)] : [...audited(right, index - split), mth(left)]
}

describe('a Merkle tree', () => {
  test('has the roots and paths of RFC 6962, for every size to 40', () => {
    for (let size = 1; size <= 40; size++) {
      const texts = Array.from({ length: size }, (_, index) => `leaf ${index}`)
      const bytes = texts.map((text) => Buffer.from(text))
      const hashes = texts.map(leafHash)
      assert.equal(treeRoot(hashes), mth(bytes).toString('hex'))
      for (let index = 0; index < size; index++)
        assert.deepEqual(
          treePath(hashes, index),
          audited(bytes, index).map((node) => node.toString('hex')),
        )
    }
  })
})

test('the text of a leaf is JSON with sorted names, whatever characters its fields hold', () => {
  const odd = ['"', '\\', '\n', '\u0000', '\u007f', '\u2028', 'ü', '😀', '\ud800', 'x y']
  for (const text of odd) {
    const row = {
      id: text,
      at: 1_700_000_000_123,
      accountId: 7,
      keyId: null,
      kind: 'computation' as const,
      method: 'POST',
      path: text,
      status: 200,
      code: text,
      credits: 1,
      calls: 2,
      ip: '192.0.2.1',
      requestId: text,
      durationMs: 3,
      replayed: true,
      detail: text,
      content: null,
    }
    const found = markedLeaf(row, 'ab', '1.0.0').slice(1)
    const fields = JSON.parse(found)
    assert.deepEqual(Object.keys(fields), Object.keys(fields).toSorted())
    assert.equal(JSON.stringify(fields), found)
    assert.deepEqual([fields.path, fields.detail, fields.replayed], [text, text, true])
  }
})
