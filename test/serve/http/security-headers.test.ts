/** The security headers of every kind of reply. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useService } from '../../support/people.ts'

const service = await useService()

const REPLIES = [
  { name: 'JSON', path: '/healthz', status: 200, policy: "default-src 'none'; frame-ancestors 'none'" },
  {
    name: 'a failure',
    path: '/nowhere',
    status: 404,
    policy: "default-src 'none'; frame-ancestors 'none'",
  },
  {
    name: 'a page',
    path: '/docs',
    status: 200,
    policy:
      "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  },
] as const

for (const { name, path, policy, status } of REPLIES)
  test(`${name} carries one of each`, async () => {
    const reply = await service.call(path)
    assert.equal(reply.status, status)
    assert.equal(reply.headers.get('content-security-policy'), policy)
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(reply.headers.get('referrer-policy'), 'no-referrer')
  })
