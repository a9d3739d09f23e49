/** Ranges of IP addresses. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ipRange, withinRanges } from '../../src/base/hosts.ts'

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
