/** The vectors of docs/receipts.md: four implementations agree on each, one of them written from the document alone. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { contentOf, longDigest } from '../../../src/wire/proofs/content.ts'
import { digest, leafHash } from '../../../src/wire/proofs/hash.ts'
import { canonical } from '../../../src/wire/receipt-check/receipt-values.ts'
import { type PublishedKey, verifyReceipt } from '../../../src/wire/receipt-check/verify.ts'
import { noCryptography, python, verifiers } from '../../support/receipt-verifiers.ts'

interface Case {
  /** `leaf` is missing in the receipt of a row. */
  readonly receipt: { readonly leaf?: { readonly status: number }; readonly checkpoint: object }
  readonly keys: PublishedKey[] | null
  readonly request: string
  readonly reply: string
}

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'vectors.json'), 'utf8')) as {
  keys: PublishedKey[]
  valid: (Case & { receipt: { leaf: { status: number } }; steps: Record<string, string> })[]
  altered: (Case & { name: string })[]
}
const given = ({ keys, receipt, reply, request }: Case) => ({
  receipt,
  reply: receipt.leaf?.status === 200 ? reply : null,
  request,
  keys: keys ?? vectors.keys,
})

function assertAgreed(outcomes: readonly (string | null)[]): void {
  const valid = vectors.valid.length
  const altered = outcomes.slice(valid)
  assert.deepEqual(outcomes.slice(0, valid), Array(valid).fill(null))
  for (const [n, { name }] of vectors.altered.entries()) assert.notEqual(altered[n], null, name)
}

const cases = [...vectors.valid, ...vectors.altered].map(given)

test('the hashes of each step are those of the vectors', () => {
  for (const { receipt, reply, request, steps } of vectors.valid) {
    const data = receipt.leaf.status === 200 ? reply.slice('{"success":true,"data":'.length, -1) : ''
    assert.equal(canonical(receipt.leaf), steps.leaf_text)
    assert.equal(canonical(receipt.checkpoint), steps.checkpoint_text)
    const sent = (body: string | Uint8Array) => ({ body, digest: longDigest(body) })
    assert.deepEqual(
      [
        digest(Buffer.from(steps.content_bytes, 'hex')),
        contentOf(sent(Buffer.from(request)), sent(data)),
        leafHash(canonical(receipt.leaf)),
      ],
      [steps.content, steps.content, steps.leaf],
    )
  }
})

test('verifyReceipt accepts the valid receipts and refuses the altered ones', async () => {
  assertAgreed(await verifiers.verifyReceipt(cases))
})

/** The keys that the service publishes, as clients hold them. */
const published = [
  { keys: vectors.keys },
  { success: true, data: { keys: vectors.keys } },
  JSON.stringify({ success: true, data: { keys: vectors.keys } }),
]

test('verifyReceipt takes the keys as the service published them, and says so where there are none', async () => {
  const { receipt } = vectors.valid[0]
  for (const keys of published) await verifyReceipt(receipt, { keys })
  for (const keys of [{}, 'keys', null, { success: true, data: {} }])
    await assert.rejects(verifyReceipt(receipt, { keys }), { name: 'InvalidReceipt' })
})

test('quantd.verify_receipt takes the keys in the same ways', { skip: noCryptography }, async () => {
  const { receipt } = vectors.valid[0]
  const of = (keys: unknown) => ({ receipt, keys, request: null, reply: null })
  const outcomes = await verifiers.package([...published, {}, 'keys', null].map(of))
  assert.deepEqual(outcomes.slice(0, published.length), Array(published.length).fill(null))
  for (const outcome of outcomes.slice(published.length)) assert.match(outcome!, /not valid/)
})

test('quantd.verify_receipt does the same', { skip: noCryptography }, async () => {
  assertAgreed(await verifiers.package(cases))
})

test('so does a verifier that was written from the document alone', { skip: noCryptography }, async () => {
  assertAgreed(await verifiers.independent(cases))
})

test('without the package cryptography, quantd.verify_receipt says what to install', () => {
  const code = `import json, sys
sys.modules["cryptography"] = None
import quantd
case = json.load(sys.stdin)[0]
try:
    quantd.verify_receipt(case["receipt"], case["keys"])
except ImportError as error:
    print(json.dumps([str(error)]))`
  assert.match(String(python(code, cases)[0]), /quantd\[receipts\]/)
})
