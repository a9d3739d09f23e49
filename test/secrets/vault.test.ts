/** Hashes and encryption under the master keys. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { noticeMail } from '../../src/accounts/mail/messages.ts'
import { newMail, openMail } from '../../src/accounts/mail/outbox.ts'
import { newApiKey } from '../../src/secrets/keys.ts'
import { fixedMasterKeys, type MasterKey, parseMasterKeys } from '../../src/secrets/master-keys.ts'
import {
  type BoundValue,
  openVault,
  type SealPurpose,
  type Vault,
  VaultError,
} from '../../src/secrets/vault.ts'

const newKeys = (count: number) =>
  parseMasterKeys(Array.from({ length: count }, () => randomBytes(32).toString('base64')).join(), 'TEST')
const vaultOf = (...keys: readonly MasterKey[]): Vault => openVault(fixedMasterKeys(keys))
const [first, second] = newKeys(2)
const vault = vaultOf(first)

const refused = (code: VaultError['code']) => (error: unknown) =>
  error instanceof VaultError && error.code === code

test('what is sealed opens again with the same purpose and associated data', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.oneof(fc.string(), fc.integer())),
      (plaintext, associated) => {
        const sealed = vault.seal('api key', plaintext, associated)
        assert.equal(sealed.masterKeyId, first.id)
        assert.equal(vault.open('api key', sealed, associated), plaintext.toWellFormed())
      },
    ),
  )
})

test('a sealed secret does not open on another row, for another purpose or under another key', () => {
  const sealed = vault.seal('api key', 'secret', ['key-1', 'account-1'])
  const others: [SealPurpose, BoundValue[]][] = [
    ['api key', ['key-2', 'account-1']],
    ['api key', ['key-1', 'account-2']],
    ['api key', ['key-1']],
    ['api key', ['key-1account-1']],
    ['api key', ['key-', '1account-1']],
    ['mail', ['key-1', 'account-1']],
  ]
  for (const [purpose, associated] of others)
    assert.throws(() => vault.open(purpose, sealed, associated), refused('not_authentic'))
  const forged = { masterKeyId: second.id, sealed: sealed.sealed }
  assert.throws(
    () => vaultOf(second).open('api key', forged, ['key-1', 'account-1']),
    refused('not_authentic'),
  )
})

test('a number and its digits are different associated data', () => {
  const sealed = vault.seal('api key', 'secret', [1])
  assert.throws(() => vault.open('api key', sealed, ['1']), refused('not_authentic'))
})

test('a flip of any bit, a cut or an addition is noticed', () => {
  const { masterKeyId, sealed } = vault.seal('totp secret', 'secret', [1])
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const damaged = Buffer.from(sealed)
    damaged[bit >> 3] ^= 1 << (bit & 7)
    assert.throws(
      () => vault.open('totp secret', { masterKeyId, sealed: damaged }, [1]),
      refused('not_authentic'),
    )
  }
  for (let length = 0; length < sealed.length; length++)
    assert.throws(
      () => vault.open('totp secret', { masterKeyId, sealed: sealed.subarray(0, length) }, [1]),
      refused('not_authentic'),
    )
  const longer = Buffer.concat([sealed, Buffer.of(0)])
  assert.throws(
    () => vault.open('totp secret', { masterKeyId, sealed: longer }, [1]),
    refused('not_authentic'),
  )
})

test('the same text sealed twice gives different bytes, none of which show it', () => {
  const text = newApiKey('user')
  const [a, b] = [vault.seal('api key', text, []), vault.seal('api key', text, [])]
  assert.notDeepEqual(a.sealed, b.sealed)
  assert.ok(!Buffer.from(a.sealed).includes(text.slice(8, 16)))
})

test('a secret whose master key is gone says so', () => {
  const sealed = vault.seal('api key', 'secret', [])
  assert.throws(() => vaultOf(second).open('api key', sealed, []), refused('unknown_master_key'))
})

test('with two master keys the first writes and both read, and sealing again moves a secret to the first', () => {
  const old = vault.seal('api key', 'secret', [1])
  const both = vaultOf(second, first)
  assert.equal(both.open('api key', old, [1]), 'secret')
  assert.equal(old.masterKeyId, first.id)
  const moved = both.seal('api key', both.open('api key', old, [1]), [1])
  assert.equal(moved.masterKeyId, second.id)
  assert.equal(vaultOf(second).open('api key', moved, [1]), 'secret')
})

test('an API key is found under each master key, that of the writing one first', () => {
  const apiKey = newApiKey('user')
  const both = vaultOf(second, first).lookupHashes(apiKey)
  assert.deepEqual(
    both.map((one) => one.masterKeyId),
    [second.id, first.id],
  )
  assert.deepEqual(both[1], vault.lookupHashes(apiKey)[0])
  assert.notDeepEqual(both[0].hash, both[1].hash)
  assert.equal(both[0].hash.length, 32)
  assert.notDeepEqual(vault.lookupHashes(newApiKey('user'))[0].hash, both[1].hash)
})

test('a keyed hash matches its own parts and purpose alone', () => {
  const kept = vault.mac('one-time code', 'row-1', '123456')
  assert.ok(vault.matches(kept, 'one-time code', 'row-1', '123456'))
  assert.ok(!vault.matches(kept, 'one-time code', 'row-1', '123457'))
  assert.ok(!vault.matches(kept, 'one-time code', 'row-2', '123456'))
  assert.ok(!vault.matches(kept, 'one-time code', 'row-', '1123456'))
  assert.ok(!vault.matches(kept, 'reset code', 'row-1', '123456'))
  assert.ok(!vaultOf(second).matches(kept, 'one-time code', 'row-1', '123456'))
  assert.ok(!vault.matches({ ...kept, hash: kept.hash.subarray(1) }, 'one-time code', 'row-1', '123456'))
  assert.ok(vaultOf(second, first).matches(kept, 'one-time code', 'row-1', '123456'))
})

test('hashes under every key are those of each key alone', () => {
  assert.deepEqual(vaultOf(first, second).macs('address', 'a@example.org'), [
    vaultOf(first).mac('address', 'a@example.org'),
    vaultOf(second).mac('address', 'a@example.org'),
  ])
})

test('a fingerprint fits the master key it was made under, as long as that key is present', () => {
  const kept = vault.fingerprint()
  assert.ok(vault.check(kept))
  assert.ok(vaultOf(second, first).check(kept))
  assert.ok(!vaultOf(second).check(kept))
  for (const text of ['', '.', first.id, `${first.id}.`, `${first.id}.AAAA`, kept.slice(0, -6)])
    assert.ok(!vault.check(text), text)
})

test('keys that appear while the vault is open are used from then on', () => {
  let keys: readonly MasterKey[] = [first]
  const open = openVault({ list: () => keys, isSettled: () => true, close: () => undefined })
  const old = open.seal('api key', 'secret', [])
  keys = [second, first]
  assert.equal(open.seal('api key', 'x', []).masterKeyId, second.id)
  assert.equal(open.lookupHashes('k').length, 2)
  assert.equal(open.open('api key', old, []), 'secret')
  keys = [second]
  assert.throws(() => open.open('api key', old, []), refused('unknown_master_key'))
})

test('a queued mail opens for its row and recipient alone', () => {
  const text = noticeMail('passwordChanged', { username: 'Ada' })
  const mail = newMail({ vault }, 'a@example.org', text)
  assert.deepEqual(openMail(vault, mail), text)
  assert.throws(() => openMail(vault, { ...mail, to: 'b@example.org' }), refused('not_authentic'))
  assert.throws(() => openMail(vault, { ...mail, id: 'm2' }), refused('not_authentic'))
})
