/** Passwords under argon2id. */
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { Failure } from '../../src/base/failure.ts'
import { createPasswords } from '../../src/secrets/passwords.ts'

const passwords = createPasswords()
const PASSWORD = 'correct horse battery staple'

const fails = (code: string) => (error: unknown) => error instanceof Failure && error.code === code
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]

test('a hash is argon2id with 19 MiB, two passes and one lane, and differs each time', async () => {
  const [a, b] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)])
  assert.match(a, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(a, b)
})

test('the right password is right, any other is wrong, and nobody has one', async () => {
  const hash = await passwords.hash(PASSWORD)
  assert.equal(await passwords.verify(hash, PASSWORD), true)
  assert.equal(await passwords.verify(hash, `${PASSWORD} `), false)
  assert.equal(await passwords.verify(hash, ''), false)
  assert.equal(await passwords.verify(hash, 'x'.repeat(1_024)), false)
  assert.equal(await passwords.verify(null, PASSWORD), false)
})

test('the same characters put together in another way are the same password', async () => {
  const hash = await passwords.hash('Zürich ﬁne ①')
  assert.equal(await passwords.verify(hash, 'Zu\u0308rich fine 1'), true)
})

test('8 to 128 characters are taken, counted as code points after normalisation', async () => {
  for (const good of ['x2345678', 'x'.repeat(128), '😀'.repeat(8), 'ü'.repeat(8)])
    await assert.doesNotReject(passwords.hash(good))
  for (const bad of ['1234567', 'x'.repeat(129), '😀'.repeat(7), 'u\u0308'.repeat(7), 'ﷺ'.repeat(8)])
    await assert.rejects(passwords.hash(bad), fails('invalid_input'))
  await assert.rejects(
    passwords.hash('short', '/new_password'),
    (error: Failure) => error.details[0].path === '/new_password',
  )
})

test('an unknown account takes as much processor time as a known one', async () => {
  const hash = await passwords.hash(PASSWORD)
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let n = 0; n < 25; n++)
    for (const [kind, of] of [
      ['known', hash],
      ['unknown', null],
    ] as const) {
      // Not the time on the clock, which depends on other programs.
      const start = process.cpuUsage()
      await passwords.verify(of, 'wrong password')
      const { system, user } = process.cpuUsage(start)
      times[kind].push(system + user)
    }
  const ratio = median(times.unknown) / median(times.known)
  // Wide, for machines that are busy: a missing dummy hash gives a ratio below 0.01.
  assert.ok(ratio > 0.6 && ratio < 1.6, `ratio ${ratio}`)
})

test('the most common passwords are refused, in any case', async () => {
  for (const password of ['password1', 'QWERTY123', '1234567890', 'P@ssw0rd', 'ｐassword'])
    await assert.rejects(passwords.hash(password, '/new_password'), (error: Failure) => {
      assert.equal(error.code, 'invalid_input')
      assert.deepEqual(error.details, [
        { path: '/new_password', message: 'is one of the most common passwords; choose another' },
      ])
      return true
    })
})

test('beyond the queue a password is refused at once, and those in it are all checked', async () => {
  const small = createPasswords({ concurrent: 1, waiting: 5 })
  const hash = await small.hash(PASSWORD)
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => small.verify(hash, PASSWORD)))
  const done = tries.filter((one) => one.status === 'fulfilled' && one.value)
  const refused = tries.filter((one) => one.status === 'rejected')
  assert.deepEqual([done.length, refused.length], [6, 14])
  assert.ok(refused.every((one) => fails('overloaded')(one.reason) && one.reason.retryAfterSeconds > 0))
  assert.equal(await small.verify(hash, PASSWORD), true)
})

test('checks at once leave the event loop and threads of its pool to other work', async () => {
  let done = 0
  const checks = Array.from({ length: 16 }, async () => {
    await passwords.verify(null, PASSWORD)
    done += 1
  })
  await nextIteration()
  await stat('.')
  assert.ok(done < 8, `${done} of ${checks.length} were done before a file was looked at`)
  await Promise.all(checks)
})

test('a check that fails gives its place back', async () => {
  const small = createPasswords({ concurrent: 1, waiting: 0 })
  await assert.rejects(small.verify('not a hash', PASSWORD))
  assert.equal(await small.verify(null, PASSWORD), false)
})
