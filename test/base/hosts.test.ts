/** Ranges of IP addresses, and URLs of PostgreSQL that name several hosts. */
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { hostsOf, ipRange, STANDBY, withinRanges } from '../../src/base/hosts.ts'

describe('a range of addresses', () => {
  it('holds the addresses that share its prefix, and no other', () => {
    const isWithin = withinRanges(['192.0.2.128/25', '198.51.100.7', '2001:db8::/48', 'fe80::1%eth0'])
    for (const address of ['192.0.2.128', '192.0.2.255', '198.51.100.7', '2001:db8::ffff', 'fe80::1'])
      assert.ok(isWithin(address), address)
    for (const address of ['192.0.2.127', '198.51.100.8', '2001:db8:1::', 'fe80::2', '::'])
      assert.ok(!isWithin(address), address)
  })

  it('is an address with a prefix that it can have', () => {
    for (const text of [
      '',
      '/8',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '::/129',
      'localhost',
      '10.0.0',
    ])
      assert.equal(ipRange(text), null, text)
    assert.deepEqual(ipRange('0.0.0.0/0'), { address: '0.0.0.0', family: 'ipv4', prefix: 0 })
    assert.deepEqual(ipRange('2001:db8::1'), { address: '2001:db8::1', family: 'ipv6', prefix: 128 })
  })
})

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
