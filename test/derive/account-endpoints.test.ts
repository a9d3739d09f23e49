/** The account endpoints are those of the specification, and their schemas limit the input. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/schema'
import { createGuest } from '../../src/accounts/create-guest.ts'
import { accountEndpoints } from '../../src/accounts/endpoints.ts'
import { login } from '../../src/accounts/login.ts'
import { register } from '../../src/accounts/register.ts'
import { verifyOtp } from '../../src/accounts/verify-otp.ts'

const registration = Compile(register.input)
const person = { username: 'ada', email: 'ada@example.org', password: 'long enough' }

test('example keys have the form of keys', () => {
  const { api_key: guest } = createGuest.example.output
  assert.match(guest, /^qd_guest_[A-Za-z0-9]{43}$/)
  assert.match(verifyOtp.example.output.api_key, /^qd_user_[A-Za-z0-9]{43}$/)
})

test('only login has a top-level message', () => {
  assert.deepEqual(
    accountEndpoints.filter(({ message }) => message !== null),
    [login],
  )
})

test('a username has 1 to 100 printable characters, counted as code points', () => {
  for (const username of ['a', 'Ada Lovelace', '李'.repeat(100), '𝒜'.repeat(100), 'Zoë 👩‍🔬'])
    assert.ok(registration.Check({ ...person, username }), username)
  for (const username of ['', 'a'.repeat(101), 'two\nlines', 'bell\u0007', 'turned\u202Etext', '\uD800'])
    assert.ok(!registration.Check({ ...person, username }), JSON.stringify(username))
})

test('a username has no invisible characters and none that change the text direction', () => {
  for (const username of ['❤️ Ada', '👩🏽‍🔬', 'Ada © 2026', 'José', 'Łukasz Żółć'])
    assert.ok(registration.Check({ ...person, username }), username)
  for (const code of [
    0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200d, 0x2060, 0x2066, 0x2800, 0x3164, 0xfe0f, 0xfeff,
    0xe0041,
  ])
    assert.ok(
      !registration.Check({ ...person, username: `a${String.fromCodePoint(code)}b` }),
      code.toString(16),
    )
  assert.ok(!registration.Check({ ...person, username: `${'👩🏽'.repeat(49)}\u200b` }))
})

test('an e-mail address is a single address without characters that are special in a mail header', () => {
  for (const email of ['a@b', 'ada+x@example.org', 'ada@bücher.example', "o'hara@example.org"])
    assert.ok(registration.Check({ ...person, email }), email)
  for (const email of [
    'ada',
    '@b',
    'a@',
    'a b@example.org',
    'a@b@c',
    'a@b,c@d',
    'a,b@c',
    'Ada <a@b>',
    'a@b\r\nBcc: c@d',
    '"a"@b',
    `${'a'.repeat(250)}@b.org`,
  ])
    assert.ok(!registration.Check({ ...person, email }), email)
})

test('a new password has 8 to 128 characters; login accepts any length and compares', () => {
  for (const [length, fits] of [
    [7, false],
    [8, true],
    [128, true],
    [129, false],
  ] as const)
    assert.equal(registration.Check({ ...person, password: 'x'.repeat(length) }), fits)
  assert.ok(Compile(login.input).Check({ email: 'a@b', password: 'x' }))
})

test('device fields have 1 to 200 characters', () => {
  const check = Compile(createGuest.input)
  const device = { device_id: 'x', device_name: 'y'.repeat(200), platform: 'z' }
  assert.ok(check.Check(device))
  assert.ok(!check.Check({ ...device, device_name: 'y'.repeat(201) }))
  assert.ok(!check.Check({ ...device, platform: '' }))
})

test('unknown fields pass, and a guest key of any form may be offered', () => {
  assert.ok(registration.Check({ ...person, newsletter: true, guest_api_key: 'nonsense' }))
})
