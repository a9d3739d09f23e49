/** No verifier accepts an input that enters no digest: each value of each input is changed, and each change is refused. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keyId } from '../../../src/ledger/receipts/signing-keys.ts'
import { canonical } from '../../../src/wire/receipt-check/receipt-values.ts'
import { noCryptography, type ReceiptCase, verifiers } from '../../support/receipt-verifiers.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Receipt = { [name: string]: Json } & { leaf: { status: number }; checkpoint: { at: number } }
type Given = Omit<ReceiptCase, 'receipt'> & { receipt: Receipt }

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'vectors.json'), 'utf8')) as {
  readonly keys: Json[]
  readonly valid: readonly { receipt: Receipt; request: string; reply: string }[]
}
const genuine: readonly Given[] = vectors.valid.map(({ receipt, reply, request }) => ({
  receipt,
  keys: vectors.keys,
  request,
  reply: receipt.leaf.status === 200 ? reply : null,
}))

/** The receipt of a call whose checkpoint two keys sign, as at a rotation. */
function rotated(): Given {
  const { receipt, ...own } = structuredClone(genuine[0])
  const pairs = [1, 2].map(() => generateKeyPairSync('ed25519'))
  const keys = pairs.map(({ publicKey }) => {
    const { x } = publicKey.export({ format: 'jwk' }) as { x: string }
    return { id: keyId(x), algorithm: 'Ed25519', public_key: x, from: 0, until: null }
  })
  const checkpoint = { ...receipt.checkpoint, key: keys[0].id, next_key: keys[1].id }
  const signatures = pairs.map(({ privateKey }, n) => ({
    key: keys[n].id,
    signature: sign(null, Buffer.from(canonical(checkpoint)), privateKey).toString('base64url'),
  }))
  return { ...own, keys, receipt: { ...receipt, checkpoint, signatures } }
}

function changed(value: Json): Json[] {
  if (typeof value === 'number') return [value + 1, value - 1, String(value), null]
  if (typeof value === 'boolean') return [!value, null]
  if (typeof value === 'string')
    return [value.replace(/.$/, (last) => (last === 'A' ? 'w' : 'A')), `${value}A`, value.slice(1), '', null]
  if (value === null) return [0, '', false]
  return Array.isArray(value)
    ? [[], [...value, value[0] ?? '0'.repeat(64)], value.slice(1), null].filter(
        (other) => JSON.stringify(other) !== JSON.stringify(value),
      )
    : [{ ...value, added: 'by nobody' }, {}, null]
}

/** Every value below a value, and itself, replaced by other ones. */
function replaced(value: Json): Json[] {
  const inner =
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([name, item]) =>
          replaced(item).map((other) =>
            Array.isArray(value)
              ? value.map((one, place) => (String(place) === name ? other : one))
              : { ...value, [name]: other },
          ),
        )
  return [...changed(value), ...inner]
}

const FLIPS = 40

const flipped = (text: string): string[] => [
  ...Array.from({ length: Math.min(FLIPS, text.length) }, (_, n) => {
    const place = Math.floor((n * text.length) / Math.min(FLIPS, text.length))
    return text.slice(0, place) + (text[place] === '1' ? '2' : '1') + text.slice(place + 1)
  }),
  ...[`${text} `, ` ${text}`, text.slice(1), ''],
]

/** Every input of a case in other words, which no verifier may accept. */
function inOtherWords(own: Given): (readonly [string, ReceiptCase])[] {
  const { keys, receipt, reply, request } = own
  const { at } = receipt.checkpoint
  const list = keys as { id: string; from: number; until: number | null }[]
  const signers = JSON.stringify(receipt.signatures)
  const otherKeys = list
    .filter(({ id }) => signers.includes(id))
    .flatMap((key) =>
      [
        ...changed(key.id).map((id) => ({ ...key, id })),
        ...['algorithm', 'public_key'].flatMap((name) =>
          changed(key[name as 'id']).map((other) => ({ ...key, [name]: other })),
        ),
        ...[
          { ...key, from: at + 1 },
          { ...key, until: at - 1 },
          { ...key, from: 'x' },
          { ...key, until: 'x' },
        ],
      ].map((other) => list.map((one) => (one === key ? other : one))),
    )
  return [
    ...replaced(receipt).map((other) => ['receipt', { ...own, receipt: other }] as const),
    ['envelope', { ...own, receipt: { success: true, data: receipt, message: 'by nobody' } }] as const,
    ...[[], ...otherKeys].map((other) => ['keys', { ...own, keys: other }] as const),
    ...flipped(request!).map((other) => ['request', { ...own, request: other }] as const),
    ...(reply === null ? ['', '{"success":true,"data":{"price":1}}', '{}'] : flipped(reply)).map(
      (other) => ['reply', { ...own, reply: other }] as const,
    ),
    ['reply without request', { ...own, request: null, reply: reply ?? '{}' }] as const,
    ...(reply === null ? [] : [['request without reply', { ...own, reply: null }] as const]),
  ]
}

const cases = [...genuine, rotated()]

for (const [name, verify] of Object.entries(verifiers))
  test(`${name} refuses every receipt, key, request and reply of which one value is another`, {
    skip: name === 'verifyReceipt' ? false : noCryptography,
  }, async () => {
    assert.deepEqual(
      await verify(cases),
      cases.map(() => null),
    )
    const others = cases.flatMap(inOtherWords)
    const outcomes = await verify(others.map(([, own]) => own))
    const accepted = others.filter((_, n) => outcomes[n] === null)
    assert.deepEqual(
      accepted.map(([input, own]) => [input, JSON.stringify(own)]),
      [],
    )
    assert.ok(others.length > 2_000, `${others.length} changes were tried`)
  })
