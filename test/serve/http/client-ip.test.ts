/** The client address of a request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressOf,
  countingSubject,
  reportedClient,
  trustedProxies,
} from '../../../src/serve/http/client-ip.ts'
import { route, startEdge } from '../../support/edge.ts'

const isProxy = trustedProxies(['10.0.0.0/8', 'fd00::/8'])
const read = (proxy: string, forwardedFor: string) => reportedClient(proxy, forwardedFor, isProxy)

test('only a trusted proxy can set the address', async (t) => {
  for (const [trusted, ip] of [
    [[], '127.0.0.1'],
    [['10.0.0.0/8'], '127.0.0.1'],
    [['127.0.0.1'], '1.2.3.4'],
  ] as const) {
    const { close, port } = await startEdge({
      trustedProxies: trusted,
      routes: [route('GET', '/ip', (incoming) => incoming.ip)],
    })
    t.after(close)
    const headers = { 'x-forwarded-for': '1.2.3.4' }
    const reply = await fetch(`http://127.0.0.1:${port}/ip`, { headers })
    assert.equal(await reply.json(), ip)
  }
})

test('a trusted proxy reports the client, the last address of no trusted proxy', () => {
  assert.equal(read('10.0.0.1', '1.2.3.4'), '1.2.3.4')
  assert.equal(read('10.0.0.1', '6.6.6.6, 1.2.3.4'), '1.2.3.4')
  assert.equal(read('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9'), '1.2.3.4')
  assert.equal(read('fd00::1', '::ffff:1.2.3.4'), '1.2.3.4')
  assert.equal(read('10.0.0.1', '2001:db8::1'), '2001:db8::1')
})

test('nonsense in the header ends the search at the last good hop', () => {
  assert.equal(read('10.0.0.1', 'nonsense'), '10.0.0.1')
  assert.equal(read('10.0.0.1', 'nonsense, 10.0.0.2'), '10.0.0.2')
  assert.equal(read('10.0.0.1', ''), '10.0.0.1')
})

test('a proxy may write the port of the client behind its address', () => {
  assert.equal(read('10.0.0.1', '1.2.3.4:5678'), '1.2.3.4')
  assert.equal(read('10.0.0.1', '[2001:db8::1]:443, 10.9.9.9:80'), '2001:db8::1')
  assert.equal(read('10.0.0.1', '[2001:db8::1]'), '2001:db8::1')
  for (const nonsense of ['1.2.3.4:', '1.2.3.4:x', '[2001:db8::1', '2001:db8::1]:80'])
    assert.equal(read('10.0.0.1', nonsense), '10.0.0.1', nonsense)
})

test('an address has one spelling', () => {
  for (const [given, read6] of [
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::0001', '2001:db8::1'],
    ['::FFFF:1.2.3.4', '1.2.3.4'],
    ['::ffff:0102:0304', '1.2.3.4'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
  ] as const)
    assert.equal(read('10.0.0.1', given), read6)
  assert.equal(addressOf('fe80::1%eth0').ip, 'fe80::1')
  assert.equal(addressOf('::ffff:10.0.0.1').ip, '10.0.0.1')
})

test('limits count an IPv6 address as its /64 and an IPv4 address as itself', () => {
  const subject = (hop: string) => countingSubject(read('10.0.0.1', hop))
  assert.equal(subject('1.2.3.4'), '1.2.3.4')
  assert.equal(subject('::ffff:1.2.3.4'), '1.2.3.4')
  assert.equal(subject('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(subject('2001:db8:1:2:ffff::'), subject('2001:DB8:1:2::1'))
  assert.notEqual(subject('2001:db8:1:2::1'), subject('2001:db8:1:3::1'))
  assert.equal(subject('::1'), '::/64')
  assert.equal(subject('2001:db8::1'), '2001:db8::/64')
  assert.equal(subject('1::2:3:4:5'), subject('1:0:0:0:9:9:9:9'))
  assert.equal(countingSubject(''), '')
})

test('whether a peer is a trusted proxy does not depend on a spelling', () => {
  for (const proxies of [
    ['10.0.0.0/8', 'fd00::/8'],
    ['::ffff:10.0.0.0/104', 'fd00::/8'],
    ['10.1.1.1', 'FD00::1%eth0'],
    ['::ffff:10.1.1.1', 'fd00:0::1/128'],
  ])
    assert.deepEqual(
      ['10.1.1.1', '::ffff:10.1.1.1', 'FD00:0::1', '9.9.9.9', ''].map(trustedProxies(proxies)),
      [true, true, true, false, false],
      proxies.join(),
    )
})
