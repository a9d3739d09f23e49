/** Receipts altered at random: three verifiers accept the same ones, and these say what the genuine one says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { alteredReceipt } from '../../support/altered-receipts.ts'
import { random } from '../../support/random.ts'
import { noCryptography, type ReceiptCase, verifiers } from '../../support/receipt-verifiers.ts'

const CASES = 2_100

type Vector = Omit<ReceiptCase, 'keys'> & { readonly keys: ReceiptCase['keys'] | null }

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'vectors.json'), 'utf8')) as {
  readonly keys: ReceiptCase['keys']
  readonly valid: readonly Vector[]
}
const genuine = vectors.valid

/** The statements of a receipt: without an envelope, the sign of zero, and signatures that are not looked at. */
function said(receipt: unknown): unknown {
  const { data, success, ...own } = JSON.parse(JSON.stringify(receipt))
  if (success === true) return said(data)
  const { signatures, ...rest } = own
  return { ...rest, signature: signatures.find((one: { key: string }) => one.key === own.checkpoint.key) }
}

test('three verifiers agree on altered receipts, and accept only what says the same', {
  skip: noCryptography,
}, async () => {
  const draw = random(Number(process.env.QUANTD_TEST_SEED ?? 20_260_101))
  const cases = Array.from({ length: CASES }, (_, n): ReceiptCase => {
    const { keys, receipt, reply, request } = genuine[n % genuine.length]
    const replies = [
      `${reply}\n`,
      `${reply!.slice(0, -1)}]`,
      reply!.slice('{"success":true,"data":'.length, -1),
    ]
    const given = draw() < 0.7 ? reply : replies[Math.floor(3 * draw())]
    return {
      receipt: alteredReceipt(receipt, draw),
      keys: keys ?? vectors.keys,
      ...(draw() < 0.9 ? { request: null, reply: null } : { request, reply: given }),
    }
  })
  const [client, python, independent] = await Promise.all(
    [verifiers.verifyReceipt, verifiers.package, verifiers.independent].map((verify) => verify(cases)),
  )
  let accepted = 0
  for (const [n, { receipt }] of cases.entries()) {
    const outcomes = [client[n], python[n], independent[n]]
    const refused = outcomes.filter((outcome) => outcome !== null).length
    assert.ok(refused === 0 || refused === outcomes.length, JSON.stringify({ outcomes, receipt }))
    if (refused > 0) continue
    accepted += 1
    const text = String(receipt).replace(/^\ufeff/, '')
    assert.deepEqual(said(JSON.parse(text)), said(genuine[n % genuine.length].receipt))
  }
  assert.ok(accepted > CASES / 20 && accepted < CASES / 2, `${accepted} were accepted`)
})
