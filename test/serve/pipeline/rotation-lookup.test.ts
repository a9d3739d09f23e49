/** A key whose row is re-wrapped between the looks by its two hashes is still found. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Meter } from '../../../src/ledger/metering/meter.ts'
import type { KnownKey } from '../../../src/ledger/store/store.ts'
import type { Incoming } from '../../../src/protocol/incoming.ts'
import { authenticator } from '../../../src/serve/pipeline/authenticate.ts'

const known: KnownKey = {
  keyId: 1,
  accountId: 1,
  status: 'active',
  tier: 'free',
  verified: true,
  expiresAt: null,
  team: null,
  now: 0,
}
const incoming = { headers: { 'x-api-key': 'key' }, ip: '127.0.0.1' } as Partial<Incoming> as Incoming
const meter: Meter = { enter: () => Promise.reject(new Error('nothing is entered')) }

/** A store that finds the key from its n-th look on. */
function setting(found: number, hashes: number) {
  let looks = 0
  const lookup = async (asked: readonly Uint8Array[]) => {
    looks += 1
    return asked.map((_, index) => (looks >= found && index === 0 ? known : null))
  }
  const keys = {
    kind: () => 'user' as const,
    hashes: () => Array.from({ length: hashes }, (_, index) => Uint8Array.of(index)),
  }
  const authenticate = authenticator({ answersAtOnce: true, lookup }, meter, keys, null)
  return { authenticate, looks: () => looks }
}

test('with several master keys a key that is not found is looked for once more', async () => {
  const { authenticate, looks } = setting(2, 2)
  assert.equal((await authenticate(incoming)).accountId, 1)
  assert.equal(looks(), 2)
  await assert.rejects(setting(3, 2).authenticate(incoming), /Invalid or expired API key/)
})

test('with one master key an unknown key costs one look', async () => {
  const { authenticate, looks } = setting(2, 1)
  await assert.rejects(authenticate(incoming), /Invalid or expired API key/)
  assert.equal(looks(), 1)
})
