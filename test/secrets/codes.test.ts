/** One-time, reset and recovery codes. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  keepRecoveryCode,
  newOneTimeCode,
  newRecoveryCodes,
  newResetCode,
  oneTimeCode,
  readBase32,
  readDigits,
  recoveryCodeMatches,
  resetCode,
} from '../../src/secrets/codes.ts'
import { fixedMasterKeys, parseMasterKeys } from '../../src/secrets/master-keys.ts'
import { openVault } from '../../src/secrets/vault.ts'

const [first, second] = parseMasterKeys(
  `${randomBytes(32).toString('base64')},${randomBytes(32).toString('base64')}`,
  'TEST',
)
const vault = openVault(fixedMasterKeys([first]))

test('a one-time code has six digits, zeros in front included', () => {
  assert.equal(
    newOneTimeCode(() => 42),
    '000042',
  )
  assert.equal(
    newOneTimeCode((limit) => limit - 1),
    '999999',
  )
  for (let n = 0; n < 1_000; n++) assert.match(newOneTimeCode(), /^[0-9]{6}$/)
})

test('a reset code has 12 characters of base32, none of them twice the same code', () => {
  const codes = Array.from({ length: 1_000 }, newResetCode)
  for (const code of codes) assert.match(code, /^[A-Z2-7]{12}$/)
  assert.equal(new Set(codes).size, codes.length)
})

test('codes are read as people type them', () => {
  assert.equal(readDigits(' 123-456 '), '123456')
  assert.equal(readDigits('123 456'), '123456')
  for (const wrong of ['', '12345', '1234567', '12345a', '１２３４５６'])
    assert.equal(readDigits(wrong), null)
  assert.equal(readBase32('abcd-efgh 2345'), 'ABCDEFGH2345')
  assert.equal(readBase32('0BCD8FGH2345'), 'OBCDBFGH2345')
  for (const wrong of ['', 'ABCDEFGH234', 'ABCDEFGH23456', 'ABCDEFGH2341'])
    assert.equal(readBase32(wrong), null)
})

for (const [name, kind] of Object.entries({ oneTimeCode, resetCode })) {
  test(`${name}: the right code of the right row matches, and nothing else`, () => {
    const code = kind.make()
    const kept = kind.keep(vault, 'row-1', code)
    assert.ok(kind.matches(vault, 'row-1', kept, code))
    assert.ok(kind.matches(vault, 'row-1', kept, ` ${code.toLowerCase().slice(0, 3)}-${code.slice(3)}`))
    assert.ok(!kind.matches(vault, 'row-2', kept, code))
    assert.ok(!kind.matches(vault, 'row-1', kept, ''))
    const another = code.startsWith('2') ? `3${code.slice(1)}` : `2${code.slice(1)}`
    assert.ok(!kind.matches(vault, 'row-1', kept, another))
    assert.ok(!kept.hash.includes(code))
  })
}

test('ten different recovery codes, each good for its own account and hash alone', () => {
  const codes = newRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^([A-Z2-7]{4}-){2}[A-Z2-7]{4}$/)
  const kept = keepRecoveryCode(vault, 'account-1', codes[0])
  assert.ok(recoveryCodeMatches(vault, 'account-1', kept, codes[0].toLowerCase().replaceAll('-', ' ')))
  assert.ok(!recoveryCodeMatches(vault, 'account-1', kept, codes[1]))
  assert.ok(!recoveryCodeMatches(vault, 'account-1', kept, '123456'))
  assert.throws(() => recoveryCodeMatches(vault, 'account-2', kept, codes[0]))
})

test('a recovery code outlives the master key it was kept under', () => {
  const [code] = newRecoveryCodes()
  const kept = keepRecoveryCode(vault, 'account-1', code)
  const both = openVault(fixedMasterKeys([second, first]))
  const owner = ['account-1']
  const moved = both.seal('recovery code', both.open('recovery code', kept, owner), owner)
  const later = openVault(fixedMasterKeys([second]))
  assert.ok(recoveryCodeMatches(later, 'account-1', moved, code))
})
