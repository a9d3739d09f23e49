/** URLs of PostgreSQL that name several hosts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostsOf, STANDBY } from '../../src/base/hosts.ts'

test('a URL of one host stays as it is', () => {
  for (const url of [
    'postgres://db/quantd',
    'postgresql://u:p%40@[::1]:5433/db?sslmode=no-verify',
    'postgres://u@x/db?host=/run/postgresql',
  ])
    assert.deepEqual(hostsOf(url), [url])
})

test('each of several hosts gets a URL with all other parts', () => {
  assert.deepEqual(hostsOf('postgres://u:p@h1:5432,h2,[::1]:5433/db?target_session_attrs=read-write'), [
    'postgres://u:p@h1:5432/db?target_session_attrs=read-write',
    'postgres://u:p@h2/db?target_session_attrs=read-write',
    'postgres://u:p@[::1]:5433/db?target_session_attrs=read-write',
  ])
})

test('a comma in the password separates no hosts', () => {
  assert.deepEqual(hostsOf('postgres://u:a,b@h1/db'), ['postgres://u:a,b@h1/db'])
})

test('sessions that cannot write are refused for the database, and accepted for a replica', () => {
  for (const target of ['any', 'standby', 'read-only', 'prefer-standby']) {
    const url = `postgres://h1,h2/db?target_session_attrs=${target}`
    assert.throws(() => hostsOf(url), /target_session_attrs=.*read-write or primary/)
    assert.equal(hostsOf(url, STANDBY).length, 2)
  }
})

test('other ways of libpq to name several hosts are refused, and so are hosts that are none', () => {
  for (const url of [
    'postgres://u@/db?host=h1,h2',
    'postgres://h1,h2/db?port=5432,5433',
    'postgres://h1,h2/db?load_balance_hosts=random',
    'postgres://h1,,h2/db',
    'postgres://h1:port,h2/db',
    'postgres:///db',
    'mysql://h1/db',
  ])
    assert.throws(() => hostsOf(url), RangeError, url)
})
