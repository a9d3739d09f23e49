/** Time-based one-time passwords. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingStep, newTotpSecret, otpauthUrl } from '../../src/secrets/codes.ts'

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
