/** Every task of operators that the guide lists, done over the interface. test/browser/operators.test.ts does them on the page. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { operatorEndpoints } from '../../src/operator/http/endpoints.ts'
import { query } from '../support/database.ts'
import { operatorTasks } from '../support/operator-tasks.ts'
import { startWithOperators } from '../support/operators.ts'
import { refused } from '../support/people.ts'

const operators = await startWithOperators({ QUANTD_TWO_PERSONS: 'grant:10000' })
const { service, tokenOf, tokens } = operators
after(() => service.close())

/** Paths that were answered with success since the task began. */
let answered: Set<string>
const done: typeof operators.done = async (path, body, token) => {
  const data = await operators.done(path, body, token)
  answered.add(`/operator/v1/${path.split('?')[0]}`)
  return data
}
const creditsOf = async (account: string) => (await done(`accounts/show?account=${account}`)).credits

const TASKS: Readonly<Record<string, () => Promise<void>>> = {
  async 'is it healthy'() {
    assert.equal((await done('health', undefined, tokens.viewer)).ready, true)
    assert.equal((await done('verify-ledger', {}, tokens.viewer)).ok, true)
  },
  async 'a customer reports an error'() {
    const { email, key } = await service.person()
    const failed = await service.failToCompute(key)
    const id = failed.body.error.request_id
    const { items } = await done(`search?q=${id}`, undefined, tokens.viewer)
    assert.deepEqual([items[0].account.email, items[0].matched_by], [email, 'request_id'])
    const [row] = (await done(`audit?request_id=${id}`, undefined, tokens.viewer)).items
    assert.deepEqual([row.status, row.code, row.credits], [422, 'invalid_input', 0])
  },
  async 'first account, top-up'() {
    const { account, api_key } = await done('accounts/create', { email: 'first@example.org' })
    await done('grants', { account: account.account_id, credits: 500, reference: 'top-up 1' }, tokens.billing)
    assert.equal((await service.compute(api_key)).status, 200)
    assert.equal(await creditsOf('first@example.org'), 849)
    refused(await operators.act('accounts/create', { email: 'First@example.org' }), 409, 'conflict')
  },
  async 'a refund'() {
    const { email } = await service.person()
    await done('grants', { account: email, credits: 100, reference: 'order 1' }, tokens.billing)
    const taken = { reference: 'order 1', credits: 100, reversal_reference: 'refund 1' }
    await done('grants/reverse', taken, tokens.billing)
    assert.equal((await done('grants/reverse', taken, tokens.billing)).replayed, true)
    assert.equal(await creditsOf(email), 350)
  },
  async 'unpaid, or a key has leaked'() {
    const { email, key } = await service.person()
    await done('accounts/suspend', { account: email, reason: 'unpaid' }, tokens.support)
    refused(await service.compute(key), 401, 'api_key_invalid')
  },
  async 'a lost second factor'() {
    const { email, key, password } = await service.person()
    const { secret } = (await service.setUpSecondFactor(key)).body.data
    await service.enableSecondFactor(key, new TOTP({ secret }).generate())
    refused(await service.login(email, password), 401, 'mfa_required')
    await done('accounts/reset-mfa', { account: email }, tokens.support)
    assert.equal((await service.login(email, password)).status, 200)
  },
  async 'another type, own limits'() {
    const { email } = await service.person()
    await done('accounts/set-tier', { account: email, account_type: 'pro' })
    const { account } = await done('accounts/set-limits', { account: email, hour: null, day: 9 })
    assert.deepEqual(account.limits, { hour: 5_000, day: 9, own_hour: null, own_day: 9 })
  },
  async 'other limits, costs or initial credits for all'() {
    const { version } = await done('plan')
    await done('plan/set', { version, initial_credits: { guest: 7 }, note: 'a trial' })
    assert.equal((await done('plan/history', undefined, tokens.viewer)).items[0].note, 'a trial')
    await done('plan/set', { version: version + 1, initial_credits: { guest: null } })
  },
  async 'what a month cost, for the invoices'() {
    const { email, key } = await service.person()
    await service.compute(key)
    const month = new Date().toISOString().slice(0, 7)
    const { totals } = await done(`reports/costs?month=${month}&account=${email}`, undefined, tokens.viewer)
    assert.deepEqual(totals, { calls: 1, credits: 1, refunded: 0 })
  },
  async 'who runs out of credits'() {
    const { api_key } = await done('accounts/create', { email: 'poor@example.org', credits: 1 })
    await service.compute(api_key)
    const { items } = await done('running-out', undefined, tokens.viewer)
    assert.equal(items[0].account.email, 'poor@example.org')
  },
  async 'a mail does not arrive'() {
    const id = '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e'
    await query(
      service,
      `INSERT INTO mails (id, recipient, master_key_id, sealed, created_at, attempts, next_at, last_error)
       SELECT '${id}', 'ada@example.org', master_key_id, sealed, 1, 3, 9000000000000, 'refused' FROM api_keys WHERE sealed IS NOT NULL LIMIT 1`,
    )
    const { items } = await done('mails', undefined, tokens.support)
    assert.deepEqual([items[0].to, items[0].last_error], ['ada@example.org', 'refused'])
    assert.deepEqual(await done('mails/send', { id }, tokens.support), { id, due: true })
  },
  async 'a second person confirms'() {
    const { email } = await service.person()
    const grant = { account: email, credits: 10_000, reference: 'contract 1' }
    const waits = await operators.act('grants', grant, tokens.billing)
    const other = { ...grant, reference: 'contract 2' }
    const rejected = await operators.act('grants', other, tokens.billing)
    const idOf = ({ body }: typeof waits) => Number(body.error.details[0].message)
    const second = await tokenOf('second', 'billing')
    const [listed] = (await done('approvals?state=waiting', undefined, second)).items
    assert.deepEqual([listed.email, listed.asked_by], [email, 'billing'])
    await done('approvals/confirm', { id: idOf(waits) }, second)
    await done('approvals/reject', { id: idOf(rejected) }, second)
    assert.equal(await creditsOf(email), 10_350)
  },
  async 'who did what'() {
    const { email } = await service.person()
    await done('accounts/suspend', { account: email, reason: 'a check' }, tokens.support)
    const [act] = (await done('audit?rows=acts&order=newest', undefined, tokens.viewer)).items
    assert.deepEqual(
      [act.code, act.ip, act.path],
      ['key_suspended', '127.0.0.1', '/operator/v1/accounts/suspend'],
    )
    assert.deepEqual(act.detail, { actor: 'support', reason: 'a check' })
  },
  async 'a backup, a copy of the master key'() {
    await done('notes', { what: 'backup' }, tokens.support)
    await done('notes', { what: 'master-key-copy' }, tokens.support)
    const { backup, master_key_copy } = await done('health')
    assert.deepEqual([backup.by, master_key_copy.is_present_key], ['support', true])
  },
  async 'somebody joins or leaves'() {
    const { id, token } = await done('tokens/create', { name: 'new colleague', role: 'viewer' })
    await done('accounts', undefined, token)
    await done('tokens/revoke', { id })
    refused(await operators.act('accounts', undefined, token), 401, 'token_invalid')
  },
}

describe('a task of operators over the interface', () => {
  it('is each one of the guide, whose commands and requests there are', () => {
    assert.deepEqual(Object.keys(TASKS).toSorted(), operatorTasks.map(({ name }) => name).toSorted())
    const verbs = operatorEndpoints.flatMap(({ verb }) => verb ?? [])
    for (const task of operatorTasks)
      assert.deepEqual(
        task.verbs.filter((one) => one !== 'backup' && !verbs.includes(one)),
        [],
      )
  })

  for (const [name, run] of Object.entries(TASKS))
    it(`${name}: is done by its requests`, async () => {
      answered = new Set()
      await run()
      const asked = operatorTasks.find((task) => task.name === name)?.paths
      assert.deepEqual(new Set(asked).difference(answered), new Set())
    })
})
