/** Receipts under keys of small order: anybody can make signatures that hold for such a key, and many libraries take them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Checkpoint, wrongWithSignature } from '../../../src/ledger/receipts/checkpoint.ts'
import { canonical } from '../../../src/wire/receipt-check/receipt-values.ts'
import { noCryptography, verifiers } from '../../support/receipt-verifiers.ts'

const NEUTRAL = Buffer.from(`01${'00'.repeat(31)}`, 'hex')
/** The eight points, and those whose y is not reduced, the low byte first; each with either sign of x. */
const ENCODED = [
  ...['00'.repeat(32), NEUTRAL.toString('hex')],
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ...['ec', 'ed', 'ee'].map((low) => `${low}${'ff'.repeat(30)}7f`),
].flatMap((hex) => {
  const [point, other] = [Buffer.from(hex, 'hex'), Buffer.from(hex, 'hex')]
  other[31] |= 0x80
  return [point, other]
})
/** A signature that fits every text under the key of the neutral element. */
const SIGNATURE = Buffer.concat([NEUTRAL, Buffer.alloc(32)]).toString('base64url')

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'vectors.json'), 'utf8'))
const genuine = vectors.valid[0].receipt as { readonly checkpoint: Checkpoint }

const cases = ENCODED.map((point) => {
  const id = createHash('sha256').update(point).digest('hex').slice(0, 16)
  const key = { id, algorithm: 'Ed25519', public_key: point.toString('base64url'), from: 0, until: null }
  const signatures = [{ key: id, signature: SIGNATURE }]
  const receipt = { ...genuine, checkpoint: { ...genuine.checkpoint, key: id }, signatures }
  return { receipt, keys: [key], request: null, reply: null }
})

test('verifyReceipt refuses keys of small order', async () => {
  for (const outcome of await verifiers.verifyReceipt(cases)) assert.match(outcome ?? '', /small order/)
})

test('the Python package and the independent verifier refuse them', { skip: noCryptography }, async () => {
  for (const verifier of [verifiers.package, verifiers.independent])
    for (const outcome of await verifier(cases)) assert.match(outcome ?? '', /small order/)
})

test('verify-audit takes no checkpoint as signed by them', () => {
  for (const { keys, receipt } of cases) {
    const { checkpoint, signatures } = receipt
    assert.equal(wrongWithSignature(checkpoint, canonical(checkpoint), signatures, keys), 'is not signed')
  }
})
