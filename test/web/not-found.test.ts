/** Addresses without a page: a browser gets one with a way back, a program gets JSON. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { useService } from '../support/people.ts'

const service = await useService()

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

describe('an address without a page', () => {
  it('is a page in the style of the console for a browser, with links back', async () => {
    const { headers, status, text } = await service.call('/nope', { method: 'GET', headers: BROWSER })
    assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'])
    assert.match(text, /<h1>Page not found<\/h1>/)
    assert.match(text, /<link rel="stylesheet" href="\/assets\/reference\.css">/)
    assert.match(text, /<a href="\/">console<\/a>/)
    assert.match(headers.get('content-security-policy')!, /default-src 'self'/)
  })

  it('is JSON for programs, and for requests of a page that carry a body', async () => {
    for (const options of [
      { method: 'GET' },
      { method: 'GET', headers: { accept: '*/*' } },
      { method: 'POST', headers: BROWSER, body: {} },
    ]) {
      const { headers, status } = await service.call('/nope', options)
      assert.deepEqual([status, headers.get('content-type')], [404, 'application/json; charset=utf-8'])
    }
  })
})
