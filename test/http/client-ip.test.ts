/** The client address of a request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientIpReader } from '../../src/http/client-ip.ts'

test('without trusted proxies the header is ignored', () => {
  const read = clientIpReader([])
  assert.equal(read('10.0.0.1', '1.2.3.4'), '10.0.0.1')
  assert.equal(read('::ffff:10.0.0.1', undefined), '10.0.0.1')
})

test('a trusted proxy reports the client, the last address of no trusted proxy', () => {
  const read = clientIpReader(['10.0.0.0/8', 'fd00::/8'])
  assert.equal(read('10.0.0.1', '1.2.3.4'), '1.2.3.4')
  assert.equal(read('::ffff:10.0.0.1', '6.6.6.6, 1.2.3.4'), '1.2.3.4')
  assert.equal(read('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9'), '1.2.3.4')
  assert.equal(read('fd00::1', '::ffff:1.2.3.4'), '1.2.3.4')
  assert.equal(read('10.0.0.1', '2001:db8::1'), '2001:db8::1')
})

test('an untrusted peer cannot set the address', () => {
  const read = clientIpReader(['10.0.0.0/8'])
  assert.equal(read('9.9.9.9', '1.2.3.4'), '9.9.9.9')
})

test('nonsense in the header ends the search at the last good hop', () => {
  const read = clientIpReader(['10.0.0.0/8'])
  assert.equal(read('10.0.0.1', 'nonsense'), '10.0.0.1')
  assert.equal(read('10.0.0.1', 'nonsense, 10.0.0.2'), '10.0.0.2')
  assert.equal(read('10.0.0.1', ''), '10.0.0.1')
})

test('a malformed range stops the start', () => {
  for (const range of ['10.0.0.0/33', 'x', '10.0.0.0/-1', '::/129'])
    assert.throws(() => clientIpReader([range]), /QUANTD_TRUSTED_PROXIES/)
})
