/** One-time, reset and recovery codes, and time-based one-time passwords. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  keepRecoveryCode,
  matchingStep,
  newOneTimeCode,
  newRecoveryCodes,
  newResetCode,
  newTotpSecret,
  oneTimeCode,
  otpauthUrl,
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

/** The secret of RFC 6238, appendix B: the ASCII digits 1…9, 0 twice over. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
/** Seconds and the last six of the eight digits in appendix B. */
const RFC_VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

test('the vectors of RFC 6238, appendix B, match at their time and give their step', () => {
  for (const [seconds, code] of RFC_VECTORS)
    assert.equal(matchingStep(RFC_SECRET, code, seconds * 1_000), Math.floor(seconds / 30))
})

test('a code is good one step early and one step late, and gives its own step', () => {
  const step = Math.floor(1_234_567_890 / 30)
  const at = (steps: number) => matchingStep(RFC_SECRET, '005924', (step + steps) * 30_000)
  assert.deepEqual([-2, -1, 0, 1, 2].map(at), [null, step, step, step, null])
})

test('the edges of a step are exact to the millisecond', () => {
  const step = Math.floor(1_234_567_890 / 30)
  assert.equal(matchingStep(RFC_SECRET, '005924', (step - 1) * 30_000), step)
  assert.equal(matchingStep(RFC_SECRET, '005924', (step - 1) * 30_000 - 1), null)
  assert.equal(matchingStep(RFC_SECRET, '005924', (step + 2) * 30_000 - 1), step)
  assert.equal(matchingStep(RFC_SECRET, '005924', (step + 2) * 30_000), null)
})

test('what is not six matching digits matches no step', () => {
  for (const code of ['', '287083', '28708', '2870822', '287082 ', '２８７０８２', '94287082'])
    assert.equal(matchingStep(RFC_SECRET, code, 59_000), null, JSON.stringify(code))
})

test('new secrets hold 160 bits and differ', () => {
  const [a, b] = [newTotpSecret(), newTotpSecret()]
  assert.match(a, /^[A-Z2-7]{32}$/)
  assert.notEqual(a, b)
})

test('the address for authenticator apps says everything about the codes', () => {
  const url = new URL(otpauthUrl({ issuer: 'quantd', account: 'ada+x@example.org', secret: RFC_SECRET }))
  assert.equal(url.protocol, 'otpauth:')
  assert.equal(url.host, 'totp')
  assert.equal(decodeURIComponent(url.pathname), '/quantd:ada+x@example.org')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    issuer: 'quantd',
    secret: RFC_SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
