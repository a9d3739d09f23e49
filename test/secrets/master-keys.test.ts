/** Master keys out of settings and files. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  MasterKeyError,
  type MasterKeySource,
  openMasterKeys,
  parseMasterKeys,
} from '../../src/secrets/master-keys.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const folder = temporaryFolder('keys')

const newKey = () => randomBytes(32).toString('base64')
const ids = (text: string) => parseMasterKeys(text, 'TEST').map((key) => key.id)
const file = (name: string) => join(folder, name)
const write = (path: string, text: string) => writeFileSync(path, text, { mode: 0o600 })
const source = (over: Partial<MasterKeySource>): MasterKeySource => ({
  text: null,
  file: file('absent'),
  create: false,
  ...over,
})

test('keys are read one a line or comma-separated, padded or not, in order', () => {
  const [a, b, c] = [newKey(), newKey(), newKey()]
  assert.deepEqual(ids(`${a}\n${b},\r\n ${c.replace('=', '')} `), [...ids(a), ...ids(b), ...ids(c)])
  assert.match(ids(a)[0], /^[0-9a-f]{16}$/)
})

test('an id tells keys apart and is the same at every start', () => {
  assert.equal(ids(Buffer.alloc(32, 7).toString('base64'))[0], ids(Buffer.alloc(32, 7).toString('base64'))[0])
  assert.notEqual(ids(newKey())[0], ids(newKey())[0])
})

test('what is wrong with a setting is said in one line that shows no key', () => {
  const key = newKey()
  const wrong: [string, RegExp][] = [
    ['', /contains no key/],
    [' \n,', /contains no key/],
    [randomBytes(31).toString('base64'), /Key 1 of TEST has 31 bytes, not 32/],
    [`${key},${randomBytes(33).toString('base64')}`, /Key 2 of TEST has 33 bytes/],
    ['not*base64', /Key 1 of TEST is not base64/],
    [`${key.slice(0, 20)}!${key.slice(20)}`, /is not base64/],
    [`${key}\n${newKey()}\n${key}`, /Keys 1 and 3 of TEST are the same/],
  ]
  for (const [text, message] of wrong)
    assert.throws(
      () => parseMasterKeys(text, 'TEST'),
      (error: Error) => {
        assert.ok(error instanceof MasterKeyError)
        assert.match(error.message, message)
        assert.ok(!error.message.includes('\n') && !error.message.includes(key.slice(0, 20)))
        return true
      },
    )
})

test('a key in the setting itself is taken, and no file is looked at', () => {
  const key = newKey()
  const keys = openMasterKeys(source({ text: key, create: true }))
  assert.deepEqual(
    keys.list().map((one) => one.id),
    ids(key),
  )
  assert.throws(() => statSync(file('absent')))
})

test('a missing file is made only where that is allowed, for its owner alone', () => {
  const path = join(folder, 'new', 'master.key')
  assert.throws(() => openMasterKeys(source({ file: path })), /master\.key is missing/)
  openMasterKeys(source({ file: path, create: true })).close()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'new')).mode & 0o777, 0o700)
  assert.deepEqual(readdirSync(join(folder, 'new')), ['master.key'])
})

test('a file that is there is never replaced', () => {
  const path = file('kept.key')
  write(path, newKey())
  const before = readFileSync(path, 'utf8')
  openMasterKeys(source({ file: path, create: true })).close()
  assert.equal(readFileSync(path, 'utf8'), before)
  write(path, '')
  assert.throws(() => openMasterKeys(source({ file: path, create: true })), /contains no key/)
})

test('a new first key is read at once and writes only when every node has had time to read it', async () => {
  const path = file('rotated.key')
  const [old, fresh] = [newKey(), newKey()]
  write(path, old)
  let now = 0
  const keys = openMasterKeys(source({ file: path, rereadMs: 10, settleMs: 1_000, now: () => now }))
  write(path, `${fresh}\n${old}\n`)
  await until(() => keys.list().length === 2, 'there were two keys')
  assert.deepEqual(
    keys.list().map((key) => key.id),
    [...ids(old), ...ids(fresh)],
  )
  now = 999
  await pause(50)
  assert.equal(keys.list()[0].id, ids(old)[0])
  assert.equal(keys.isSettled(), false)
  now = 1_000
  await until(() => keys.list()[0].id === ids(fresh)[0], 'the new key was first')
  assert.equal(keys.isSettled(), true)
  write(path, fresh)
  await until(() => keys.list().length === 1, 'there was one key')
  assert.equal(keys.list()[0].id, ids(fresh)[0])
  keys.close()
})

test('a file without the key that encrypts is reported and not taken, until it has it again', async () => {
  const path = file('replaced.key')
  const [old, fresh] = [newKey(), newKey()]
  write(path, old)
  const problems: string[] = []
  const keys = openMasterKeys(
    source({ file: path, rereadMs: 10, settleMs: 40, onProblem: (problem) => problems.push(problem) }),
  )
  write(path, fresh)
  await until(() => problems.some((one) => one.includes('no longer holds the key')), 'it was reported')
  await pause(60)
  const now = () => keys.list().map(({ id }) => id)
  assert.deepEqual([now(), keys.isSettled()], [ids(old), false])
  write(path, `${fresh}\n${old}`)
  await until(() => now()[0] === ids(fresh)[0], 'the new key encrypted')
  write(path, fresh)
  await until(() => now().length === 1, 'the old key was removed')
  keys.close()
})

test('a file that breaks leaves the keys in use, is reported once, and is read again when mended', async () => {
  const path = file('broken.key')
  const [old, fresh] = [newKey(), newKey()]
  write(path, old)
  const problems: string[] = []
  const keys = openMasterKeys(
    source({ file: path, rereadMs: 10, onProblem: (problem) => problems.push(problem) }),
  )
  const before = keys.list()
  write(path, 'nonsense')
  await until(
    () => problems.some((problem) => /has \d+ bytes|not base64/.test(problem)),
    'the problem was noticed',
  )
  await pause(60)
  assert.equal(keys.list(), before)
  assert.equal(keys.isSettled(), false)
  // A reader may meet the file while it is written, hence empty.
  const told = problems.filter((problem) => !problem.includes('contains no key'))
  assert.equal(told.length, 1)
  write(path, `${old}\n${fresh}`)
  await until(() => keys.list().length === 2, 'there were two keys')
  keys.close()
})

test('a file that the group or others can read stops the start with one plain line', () => {
  const path = file('exposed')
  write(path, newKey())
  for (const mode of [0o640, 0o604, 0o644, 0o444]) {
    chmodSync(path, mode)
    assert.throws(
      () => openMasterKeys(source({ file: path })),
      (error: Error) => {
        assert.ok(error instanceof MasterKeyError)
        assert.match(error.message, /can be read by its group or by others \(mode 0\d{3}\).*: chmod 600 \S+$/)
        assert.ok(!error.message.includes('\n'))
        return true
      },
    )
  }
  for (const mode of [0o600, 0o400]) {
    chmodSync(path, mode)
    openMasterKeys(source({ file: path })).close()
  }
})

test('a FIFO, a device and a file of more than 64 KiB stop the start with one plain line', () => {
  const fifo = file('fifo')
  execFileSync('mkfifo', ['-m', '600', fifo])
  const large = file('large')
  write(large, `${newKey()}\n`.repeat(2_000))
  for (const path of [fifo, '/dev/zero', large])
    assert.throws(
      () => openMasterKeys(source({ file: path })),
      (error: Error) =>
        error instanceof MasterKeyError &&
        /(is not a regular file|holds more than 65536 bytes)$/.test(error.message),
    )
})

test('a file of another owner, as containers mount secrets, may be read by its group', (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can give a file away')
  const path = file('mounted')
  write(path, newKey())
  chownSync(path, 65_534, 0)
  chmodSync(path, 0o440)
  openMasterKeys(source({ file: path })).close()
  chmodSync(path, 0o444)
  assert.throws(() => openMasterKeys(source({ file: path })), /can be read by its group or by others/)
})

test('a file that others can read from some time on is reported, and its keys stay in use', async () => {
  const path = file('exposed-later')
  write(path, newKey())
  const problems: string[] = []
  const keys = openMasterKeys(
    source({ file: path, rereadMs: 10, onProblem: (problem) => problems.push(problem) }),
  )
  const [before] = keys.list()
  chmodSync(path, 0o644)
  await until(() => problems.length > 0, 'reporting the file')
  await pause(50)
  assert.equal(problems.length, 1)
  assert.match(problems[0], /can be read by its group or by others/)
  assert.equal(keys.list()[0].id, before!.id)
  keys.close()
})
