/** The content of a call against the formula of docs/receipts.md, and against that of the verifiers. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { contentOf, longDigest } from '../../../src/wire/proofs/content.ts'
import { contentOf as contentForVerifiers } from '../../../src/wire/receipt-check/web-hash.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

function part(bytes: Uint8Array): Buffer {
  if (bytes.length > 1_024) return Buffer.concat([Buffer.of(0xff, 0xff), sha256(bytes)])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const TEXTS = [
  ...['', 'x', 'x'.repeat(1_023), 'x'.repeat(1_024), 'x'.repeat(1_025), 'x'.repeat(70_000)],
  // More bytes than characters.
  ...['ü'.repeat(512), 'ü'.repeat(513), '€'.repeat(1_024), '😀'.repeat(512)],
]

test('short and long requests and results, as texts, bytes or pieces, have the content that the document states', async () => {
  const sent = (body: Parameters<typeof longDigest>[0]) => ({ body, digest: longDigest(body) })
  for (const asked of TEXTS)
    for (const text of TEXTS) {
      const [request, data] = [Buffer.from(asked), Buffer.from(text)]
      const stated = sha256(Buffer.concat([Buffer.of(0), part(request), part(data)])).toString('hex')
      assert.equal(await contentForVerifiers(request, data), stated)
      const middle = data.length >> 1
      for (const result of [text, data, [data.subarray(0, middle), data.subarray(middle)]])
        assert.equal(
          contentOf(sent(request), sent(result)),
          stated,
          `${request.length} and ${data.length} bytes`,
        )
    }
})
