/** The number of lookups of a key in a store that is not in this process. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../../src/base/failure.ts'
import type { Entry } from '../../../src/ledger/rules/types.ts'
import type { KnownKey } from '../../../src/ledger/store/store.ts'
import type { Incoming } from '../../../src/protocol/incoming.ts'
import { authenticator } from '../../../src/serve/pipeline/authenticate.ts'

const known: KnownKey = {
  keyId: 1,
  accountId: 2,
  status: 'active',
  tier: 'free',
  verified: true,
  expiresAt: null,
  team: null,
  now: 1,
}

function remote(key: KnownKey | null) {
  const state = { key, lookups: 0, pauseMs: 0, entered: [] as Entry[] }
  const authenticate = authenticator(
    {
      answersAtOnce: false,
      lookup: async (hashes) => {
        state.lookups += 1
        const { key } = state
        if (state.pauseMs > 0) await sleep(state.pauseMs)
        return hashes.map(() => key)
      },
    },
    { enter: async (entry) => state.entered.push(entry) as never },
    { kind: () => 'user', hashes: (text) => [Buffer.from(text)] },
    null,
  )
  const incoming = (key: string) =>
    ({ headers: { 'x-api-key': key }, ip: '127.0.0.1' }) as Partial<Incoming> as Incoming
  return { state, call: (key = 'key') => authenticate(incoming(key)) }
}

const isInvalid = (error: unknown) => error instanceof Failure && error.code === 'api_key_invalid'

test('a usable key is looked up once for many calls, and again a little later', async () => {
  const { call, state } = remote(known)
  for (let i = 0; i < 20; i++)
    assert.deepEqual(await call(), { accountId: 2, keyId: 1, tier: 'free', team: null })
  const first = state.lookups
  assert.ok(first < 20, `${first} lookups`)
  await sleep(150)
  await call()
  assert.equal(state.lookups, first + 1)
})

test('a key whose look-up took long is looked up again, since it may have changed meanwhile', async () => {
  const { call, state } = remote(known)
  state.pauseMs = 250
  const slow = call()
  state.pauseMs = 0
  await sleep(200)
  // Another caller, by whose call the node forgets what it knew before.
  await call('another key')
  state.key = { ...known, status: 'revoked' }
  await slow
  await assert.rejects(call(), isInvalid)
})

test('a key that cannot be used is looked up each time, and each refusal is counted', async () => {
  const { call, state } = remote({ ...known, status: 'suspended' })
  for (let i = 0; i < 3; i++) await assert.rejects(call(), isInvalid)
  assert.deepEqual([state.lookups, state.entered.length], [3, 3])
  state.key = null
  for (let i = 0; i < 3; i++) await assert.rejects(call(), isInvalid)
  assert.deepEqual([state.lookups, state.entered.length], [6, 3])
  state.key = known
  await call()
})
