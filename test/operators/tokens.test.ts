/** Tokens that are made with tokens and in sessions: they end with these at the latest, and are revoked with them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isoTime } from '../../src/base/time.ts'
import { query } from '../support/database.ts'
import { useOperators } from '../support/operators.ts'
import { times } from '../support/people.ts'
import { request } from '../support/service.ts'

const { act, done, quantd, service, tokens, url } = await useOperators()

const HEADERS = { 'sec-fetch-site': 'same-origin' }

let made = 0
const create = async (token?: string, expires_at?: string) =>
  await done(
    'tokens/create',
    { name: `made ${++made}`, role: 'admin', ...(expires_at && { expires_at }) },
    token,
  )

/** Logs in to the page. */
async function session(token: string) {
  const answer = await request(`${url}/operator/session`, { body: { token }, headers: HEADERS })
  assert.equal(answer.status, 200, answer.text)
  const headers = { ...HEADERS, cookie: answer.headers.get('set-cookie')!.split(';')[0] }
  const createIn = async () => {
    const body = { name: `made ${++made}`, role: 'admin' }
    const reply = await request(`${url}/operator/v1/tokens/create`, { body, headers })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.data
  }
  return { headers, createIn, ends: answer.body.data.expires_at }
}

const works = async (token: string): Promise<boolean> => {
  const { status } = await act('accounts', undefined, token)
  assert.ok(status === 200 || status === 401, String(status))
  return status === 200
}

describe('a token that was made with a token', () => {
  it('ends with it at the latest, also if it was to end later', async () => {
    const soon = isoTime(Date.now() + 60_000)!
    const parent = await create(tokens.admin, soon)
    const [open, later] = [await create(parent.token), await create(parent.token, '2199-01-01T00:00:00Z')]
    const grandchild = await create(later.token)
    const earlier = await create(parent.token, isoTime(Date.now() + 30_000)!)
    assert.deepEqual(
      [open, later, grandchild].map(({ expires_at }) => expires_at),
      Array(3).fill(parent.expires_at),
    )
    assert.ok(earlier.expires_at < parent.expires_at)
    assert.equal((await create(tokens.admin)).expires_at, null)
    service.advance(61_000)
    for (const { token } of [open, later, grandchild, earlier]) assert.equal(await works(token), false)
  })

  it('is revoked with it, with those that were made with it, and the list says by whom each was made', async () => {
    const parent = await create(tokens.admin)
    const child = await create(parent.token)
    const grandchild = await create(child.token)
    const beside = await create(tokens.admin)
    const { items } = await done('tokens')
    const makers = [parent, child, grandchild].map(
      ({ id }) => items.find((one: { id: number }) => one.id === id).made_by,
    )
    assert.deepEqual(makers, ['admin', parent.name, child.name])
    const { json } = await quantd(['admin', 'token', 'create', 'by hand', '--role', 'viewer', '--json'])
    assert.equal(typeof json.made_by, 'string')
    await done('tokens/revoke', { id: parent.id })
    for (const { token } of [parent, child, grandchild]) assert.equal(await works(token), false)
    assert.equal(await works(beside.token), true)
    const told = await query(service, "SELECT detail FROM audit WHERE code = 'token_revoked'")
    const named = told.map(({ detail }) => JSON.parse(String(detail)).token)
    for (const { id } of [parent, child, grandchild]) assert.ok(named.includes(id), String(id))
  })

  it('does not escape a revocation at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const parent = await create(tokens.admin)
      const name = (n: number) => `race ${round} ${n}`
      const [replies] = await Promise.all([
        times(12, (n) => act('tokens/create', { name: name(n), role: 'admin' }, parent.token)),
        done('tokens/revoke', { id: parent.id }),
      ])
      const escaped = replies.filter(({ status }) => status === 200).map(({ body }) => body.data.token)
      for (const token of escaped) assert.equal(await works(token), false)
      // An address may send 60 wrong tokens in ten minutes.
      service.advance(601_000)
    }
  })
})

describe('a token that was made in a session', () => {
  it('ends with the session at the latest, and is revoked with the token of the session', async () => {
    const parent = await create(tokens.admin)
    const { createIn, ends } = await session(parent.token)
    const child = await createIn()
    assert.equal(child.expires_at, ends)
    await done('tokens/revoke', { id: parent.id })
    assert.equal(await works(child.token), false)
  })

  it('ends when the session is ended', async () => {
    const { createIn, headers } = await session(tokens.admin)
    const child = await createIn()
    assert.equal(await works(child.token), true)
    const ended = await request(`${url}/operator/session/end`, { body: {}, headers })
    assert.equal(ended.status, 200, ended.text)
    assert.equal(await works(child.token), false)
    assert.equal(await works(tokens.admin), true)
  })
})
