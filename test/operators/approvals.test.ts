/** Acts that two persons make: asked for by one, confirmed by another, done once. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { query, unbalanced } from '../support/database.ts'
import { useOperators } from '../support/operators.ts'
import { HOUR_MS, refused, times } from '../support/people.ts'
import { request } from '../support/service.ts'
import { until } from '../support/until.ts'

const { act, done, quantd, service, tokens, tokenOf, url } = await useOperators({
  QUANTD_TWO_PERSONS: 'grant:1000,reverse,delete,set-tier,plan',
})
const second = await tokenOf('second', 'billing')

/** The number of the approval. */
const waits = async (path: string, body: object, token?: string): Promise<number> => {
  const answer = await act(path, body, token)
  refused(answer, 202, 'second_person_needed')
  const [{ message, path: place }] = answer.body.error.details
  assert.equal(place, '/approval')
  return Number(message)
}

const creditsOf = async (email: string) => (await done(`accounts/show?account=${email}`)).credits

let references = 0
const grantTo = (email: string, credits = 1_000) => ({
  account: email,
  credits,
  reference: `order ${++references}`,
})

describe('an act that two persons make', () => {
  it('is done once, when another person confirms it, and names both in the audit', async () => {
    const { email } = await service.person()
    const id = await waits('grants', { ...grantTo(email), reason: 'paid by card' }, tokens.billing)
    assert.equal(await creditsOf(email), 350)
    refused(await act('approvals/confirm', { id }, tokens.billing), 409, 'conflict')
    const answers = await times(8, () => act('approvals/confirm', { id }, second))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, ...Array.from({ length: 7 }, () => 409)],
    )
    assert.equal(await creditsOf(email), 1_350)
    const [row] = await query(
      service,
      "SELECT path, detail FROM audit WHERE code = 'credits_granted' ORDER BY at DESC LIMIT 1",
    )
    assert.equal(row.path, '/operator/v1/grants')
    const { actor, confirmed_by, reason } = JSON.parse(String(row.detail))
    assert.deepEqual([actor, confirmed_by, reason], ['billing', 'second', 'paid by card'])
    assert.deepEqual(await unbalanced(service), [])
  })

  it('shows the second person what is done and nothing else: no field of another name, no text that turns or hides others', async () => {
    const { email } = await service.person()
    for (const other of [
      ...[{ 'credits in all': 5 }, { reason: 'a\0b' }, { expires: '2027-01-01T00:00:00Z' }],
      ...[{ note: 'ends here\u202e' }, { note: '\u001b[2K\rcredits: 5' }, { note: '\u200b' }],
    ]) {
      const answer = await act('grants', { ...other, ...grantTo(email, 5_000) }, tokens.billing)
      refused(answer, 422, 'invalid_input')
      assert.equal(answer.body.error.details[0].path, `/${Object.keys(other)[0]}`)
    }
    refused(await act('accounts/delete', { account: email, reason: '\u202e' }), 422, 'invalid_input')
    assert.ok(
      (await done('approvals?state=waiting')).items.every((one: { email: string }) => one.email !== email),
    )
  })

  it('waits once, however often it is asked for, and is replayed once it is done', async () => {
    const { email } = await service.person()
    const grant = grantTo(email, 5_000)
    const [id, ...others] = await times(8, () => waits('grants', grant, tokens.billing))
    assert.deepEqual(others, Array(7).fill(id))
    assert.equal(await waits('grants', grant, tokens.billing), id)
    await done('approvals/confirm', { id }, second)
    assert.equal((await done('grants', grant, tokens.billing)).replayed, true)
    refused(await act('grants', { ...grant, credits: 5_001 }, tokens.billing), 409, 'conflict')
  })

  it('is done at once below its limit, and where the setting does not name it', async () => {
    const { email } = await service.person()
    assert.equal((await done('grants', grantTo(email, 999), tokens.billing)).credits, 1_349)
    await done('accounts/set-limits', { account: email, hour: 5 })
  })

  it('is refused to a role that may not do it, on both sides', async () => {
    const { email } = await service.person()
    refused(await act('grants', grantTo(email), tokens.support), 403, 'role_forbidden')
    const id = await waits('accounts/delete', { account: email, reason: 'asked for it' })
    refused(await act('approvals/confirm', { id }, tokens.billing), 403, 'role_forbidden')
    refused(await act('approvals/reject', { id }, tokens.billing), 403, 'role_forbidden')
    refused(await act('approvals/confirm', { id }, tokens.viewer), 403, 'role_forbidden')
    assert.equal((await done('approvals/reject', { id })).state, 'rejected', 'by the one who asked')
    refused(await act('approvals/confirm', { id }), 409, 'conflict')
    assert.equal(await creditsOf(email), 350)
  })

  it('is not confirmed by a token that the first person has made, nor by its session', async () => {
    const { email } = await service.person()
    const [left, right] = [
      (await done('tokens/create', { name: 'left hand', role: 'admin' })).token,
      (await done('tokens/create', { name: 'right hand', role: 'admin' })).token,
    ]
    const of = { 'sec-fetch-site': 'same-origin' }
    const session = await request(`${url}/operator/session`, { body: { token: right }, headers: of })
    const cookie = session.headers.get('set-cookie')!.split(';')[0]
    const id = await waits('grants', grantTo(email), left)
    for (const token of [tokens.admin, left, right])
      refused(await act('approvals/confirm', { id }, token), 409, 'conflict')
    const asked = { body: { id }, headers: { ...of, cookie } }
    refused(await request(`${url}/operator/v1/approvals/confirm`, asked), 409, 'conflict')
    await done('approvals/confirm', { id }, second)
  })

  it('is rejected when the token that asked for it is revoked, and only then', async () => {
    const { email } = await service.person()
    const own = await waits('grants', grantTo(email), tokens.billing)
    const stolen = await tokenOf('stolen', 'billing')
    const id = await waits('grants', grantTo(email), stolen)
    const token = (await done('tokens')).items.find(({ name }: { name: string }) => name === 'stolen').id
    await done('tokens/revoke', { id: token })
    refused(await act('approvals/confirm', { id }, second), 409, 'conflict')
    assert.equal(await creditsOf(email), 350)
    const told = await query(service, "SELECT detail FROM audit WHERE code = 'approval_rejected'")
    assert.ok(told.some(({ detail }) => JSON.parse(String(detail)).approval === id))
    await done('approvals/confirm', { id: own }, second)
  })

  it('goes on waiting where it cannot be done, and is of the account that was named', async () => {
    const { email } = await service.person()
    const first = await waits('grants', grantTo(email), tokens.billing)
    const { code } = await quantd(['admin', 'delete-account', email, '--yes'])
    assert.equal(code, 0)
    await quantd(['admin', 'create', email])
    refused(await act('approvals/confirm', { id: first }, second), 404, 'not_found')
    assert.equal(await creditsOf(email), 350)

    const grant = grantTo(email)
    const id = await waits('grants', grant, tokens.billing)
    assert.equal((await quantd(['admin', 'grant', email, '1', '--reference', grant.reference])).code, 0)
    refused(await act('approvals/confirm', { id }, second), 409, 'conflict')
    const { items } = await done('approvals?state=waiting', undefined, tokens.billing)
    assert.equal(items[0].id, id)
    assert.equal(items[0].yours, true)
  })

  it('ends after a day', async () => {
    const { email } = await service.person()
    const id = await waits('grants', grantTo(email), tokens.billing)
    service.advance(25 * HOUR_MS)
    const answer = await act('approvals/confirm', { id }, second)
    refused(answer, 409, 'conflict')
    assert.match(answer.body.message, /has expired/)
  })

  it('cannot be avoided by creating an account with the credits or the type', async () => {
    const email = 'created-rich@example.org'
    refused(await act('accounts/create', { email, credits: 1_000 }), 409, 'conflict')
    refused(await act('accounts/create', { email, account_type: 'pro' }), 409, 'conflict')
    await done('accounts/create', { email, credits: 999 })
  })

  it('cannot be avoided by the credits that the plan gives to a new account', async () => {
    const giver = await tokenOf('giver', 'admin')
    const set = async (credits: string) => {
      const { code, err } = await quantd([
        'admin',
        'plan',
        'set',
        '--initial-credits',
        `registered=${credits}`,
      ])
      assert.equal(code, 0, err)
      await until(async () => {
        const { initial_credits } = await done('plan')
        return credits === 'default' || initial_credits.registered === Number(credits)
      }, 'the plan is in force')
    }
    await set('5000')
    const answers = await times(2, (n) => act('accounts/create', { email: `rich-${n}@example.org` }, giver))
    for (const answer of answers) refused(answer, 409, 'conflict')
    const { account } = await done('accounts/create', { email: 'poor@example.org', credits: 0 }, giver)
    assert.equal(account.credits, 0)
    await set('default')
  })

  it('cannot be avoided by many small grants, by several tokens of a person, at once, or by new accounts', async () => {
    const { email } = await service.person()
    const first = await tokenOf('first of many', 'admin')
    const child = { name: 'second of many', role: 'admin' }
    const other = (await done('tokens/create', child, first)).token
    const small = () => grantTo(email, 300)
    const answers = await times(12, (n) => act('grants', small(), n % 2 === 0 ? first : other))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [...Array(3).fill(200), ...Array(9).fill(202)],
    )
    assert.equal(await creditsOf(email), 350 + 900)
    refused(
      await act('accounts/create', { email: 'one-more@example.org', credits: 100 }, other),
      409,
      'conflict',
    )
    const last = grantTo(email, 99)
    assert.equal((await done('grants', last, first)).replayed, false)
    const again = await done('grants', last, other)
    assert.deepEqual([again.replayed, await creditsOf(email)], [true, 350 + 999])
    // What a second person has confirmed was not given alone, and another person has given nothing.
    const id = await waits('grants', grantTo(email, 1), first)
    await done('approvals/confirm', { id }, second)
    await done('grants', grantTo(email, 2), await tokenOf('somebody else', 'billing'))
    assert.equal(await creditsOf(email), 350 + 1_002)
    service.advance(25 * HOUR_MS)
    await done('grants', grantTo(email, 900), first)
    assert.deepEqual(await unbalanced(service), [])
  })

  it('waits with at most 19 others of its person', async () => {
    const { email } = await service.person()
    const busy = await tokenOf('busy', 'billing')
    const answers = await times(40, () => act('grants', grantTo(email), busy))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [...Array(20).fill(202), ...Array(20).fill(409)],
    )
    const late = await act('grants', grantTo(email), busy)
    refused(late, 409, 'conflict')
    assert.match(late.body.message, /^20 acts of yours wait for a second person/)
    const { items } = await done('approvals?state=waiting', undefined, busy)
    await done('approvals/reject', { id: items[0].id }, busy)
    await waits('grants', grantTo(email), busy)
  })

  it('may be a change of the plan, which is refused at once if it could not be made', async () => {
    const { version } = await done('plan')
    const change = { version, initial_credits: { guest: 50_000 }, note: 'a gift' }
    refused(await act('plan/set', { ...change, costs: { '/nowhere': 1 } }), 422, 'invalid_input')
    refused(await act('plan/set', { ...change, version: version + 1 }), 409, 'conflict')
    const id = await waits('plan/set', change)
    refused(await act('approvals/confirm', { id }), 409, 'conflict')
    assert.equal((await done('plan')).version, version)
    const { token } = (await quantd(['admin', 'token', 'create', 'third', '--role', 'admin', '--json'])).json
    await done('approvals/confirm', { id }, token)
    const { initial_credits, made_by } = await done('plan')
    assert.deepEqual([initial_credits.guest, made_by], [50_000, 'admin'])
  })

  it('must name an existing account, and is erased with it', async () => {
    refused(await act('grants', grantTo('nobody@example.org')), 404, 'not_found')
    const { email } = await service.person()
    const note = 'told by Ada herself'
    const granted = await waits('grants', { ...grantTo(email), note }, tokens.billing)
    await done('approvals/confirm', { id: granted }, second)
    await waits('grants', { ...grantTo(email), note }, tokens.billing)
    const id = await waits('accounts/delete', { account: email })
    const other = (await quantd(['admin', 'token', 'create', 'other', '--role', 'admin', '--json'])).json
    assert.equal((await done('approvals/confirm', { id }, other.token)).state, 'confirmed')
    const rows = await query(service, 'SELECT input FROM approvals')
    assert.ok(rows.every(({ input }) => !String(input).includes('Ada')))
  })
})

describe('the command line', () => {
  it('lists, confirms and rejects; what it does itself needs no second person', async () => {
    const { email } = await service.person()
    const [first, second] = [
      await waits('grants', grantTo(email), tokens.billing),
      await waits('accounts/set-tier', { account: email, account_type: 'pro' }),
    ]
    const { json } = await quantd(['admin', 'approvals', 'list', '--json'])
    assert.deepEqual(
      json.slice(0, 2).map(({ id, state }: { id: number; state: string }) => [id, state]),
      [
        [second, 'waiting'],
        [first, 'waiting'],
      ],
    )
    assert.equal((await quantd(['admin', 'approvals', 'confirm', String(first)])).code, 0)
    assert.equal((await quantd(['admin', 'approvals', 'reject', String(second)])).code, 0)
    const again = await quantd(['admin', 'approvals', 'confirm', String(second)])
    assert.equal(again.code, 1)
    assert.match(again.err, /was rejected by/)
    assert.equal((await quantd(['admin', 'grant', email, '2000'])).code, 0)
    assert.equal(await creditsOf(email), 3_350)
  })

  it('confirms a change of the plan, and a deletion', async () => {
    const { email } = await service.person()
    const { version } = await done('plan')
    const path = '/quantlib/economics/utility/log'
    const change = await waits('plan/set', { version, costs: { [path]: 3 }, note: 'dearer' })
    const deletion = await waits('accounts/delete', { account: email })
    for (const id of [change, deletion]) {
      const { code, err } = await quantd(['admin', 'approvals', 'confirm', String(id)])
      assert.equal(code, 0, err)
    }
    assert.equal((await done('plan')).costs[path], 3)
    refused(await act(`accounts/show?account=${email}`), 404, 'not_found')
  })
})
