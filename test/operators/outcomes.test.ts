/** The outcome of an act for a person: the sentence in the reply and on the command line, and the request that undoes the act. */
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { operatorEndpoints } from '../../src/operators/http/endpoints.ts'
import { EXAMPLE_ACCOUNT } from '../../src/operators/http/field-schemas.ts'
import { useOperators } from '../support/operators.ts'

const { act, done, quantd, service } = await useOperators({ QUANTD_WEBHOOK_PRIVATE: 'on' })

interface Outcome {
  readonly message: string
  readonly undo?: { readonly path: string; readonly body: object }
}

const outcomeOf = async (path: string, body: object): Promise<Outcome> => {
  const { body: reply, status, text } = await act(path, body)
  assert.equal(status, 200, text)
  return reply
}

/** Sends the request that a reply has for undoing the act. */
const undone = async ({ undo }: Outcome): Promise<Outcome> => {
  assert.ok(undo, 'the reply says how to undo the act')
  return await outcomeOf(undo.path.slice('/operator/v1/'.length), undo.body)
}

const account = async (email: string) => await done(`accounts/show?account=${email}`)

test('every act that changes something has a sentence, and no endpoint that only reads has one', () => {
  for (const { input, path, said } of operatorEndpoints)
    assert.equal(said !== undefined, input !== null, path)
})

test('no sentence of an example has a secret, or a name of a field', () => {
  for (const { example, path, said, secrets = [] } of operatorEndpoints) {
    if (said === undefined) continue
    const facts = {
      given: example.input as never,
      name: 'ada@example.org',
      account: EXAMPLE_ACCOUNT as never,
    }
    const text = said(example.output as never, facts)
    assert.match(text, /\.$/, path)
    assert.doesNotMatch(text, /undefined|true|false|_/, path)
    for (const name of secrets) {
      const secret = (example.output as Record<string, unknown>)[name]
      assert.ok(secret === undefined || !text.includes(String(secret)), path)
    }
  }
})

describe('an act says what it has done, and the reply has the request that undoes it', () => {
  it('a grant: the credits are taken back once, however often it is undone', async () => {
    const { email } = await service.person()
    const grant = { account: email, credits: 5_000, reference: `invoice of ${email}` }
    const granted = await outcomeOf('grants', grant)
    assert.equal(granted.message, `Granted 5,000 credits to ${email}; the balance is 5,350.`)
    const took = await undone(granted)
    assert.equal(
      took.message,
      `Took 5,000 credits of invoice of ${email} back from ${email}; the balance is 350.`,
    )
    assert.match((await undone(granted)).message, /before, and nothing was changed; the balance is 350\.$/)
    const again = await outcomeOf('grants', grant)
    assert.equal(
      again.message,
      `invoice of ${email} was granted to ${email} before, and nothing was changed; the balance is 350.`,
    )
    assert.equal(again.undo, undefined)
  })

  it('a grant whose undoing would need a longer reference than there may be cannot be undone', async () => {
    const { email } = await service.person()
    const granted = await outcomeOf('grants', { account: email, credits: 1, reference: 'x'.repeat(196) })
    assert.equal(granted.undo, undefined)
  })

  it('a reversal of more than the balance says what is owed', async () => {
    const { api_key: key } = await done('accounts/create', { email: 'owing@example.org', credits: 0 })
    const grant = { account: 'owing@example.org', credits: 10, reference: 'owed' }
    await done('grants', grant)
    await service.compute(key)
    const reversal = { reference: 'owed', credits: 10, reversal_reference: 'refund' }
    assert.equal(
      (await outcomeOf('grants/reverse', reversal)).message,
      'Took 10 credits of owed back from owing@example.org; the balance is 0, and 1 is owed.',
    )
  })

  it('a suspension', async () => {
    const { email } = await service.person()
    const suspended = await outcomeOf('accounts/suspend', { account: email })
    assert.equal(suspended.message, `Suspended ${email}: every key is refused from the next request on.`)
    const again = await outcomeOf('accounts/suspend', { account: email })
    assert.deepEqual(
      [again.message, again.undo],
      [`${email} was suspended before; nothing was changed.`, undefined],
    )
    assert.equal(
      (await undone(suspended)).message,
      `Lifted the suspension of ${email}: its keys are accepted again.`,
    )
    assert.equal((await account(email)).api_key_status, 'active')
  })

  it('a type, and limits of one account: those from before are restored, and only those that were changed', async () => {
    const { email } = await service.person()
    const typed = await outcomeOf('accounts/set-tier', { account: email, account_type: 'pro' })
    assert.equal(typed.message, `Changed the type of ${email} from free to pro.`)
    await undone(typed)
    assert.equal((await account(email)).account_type, 'free')
    await done('accounts/set-limits', { account: email, hour: 7, day: 20 })
    const limited = await outcomeOf('accounts/set-limits', { account: email, hour: 9_000 })
    assert.equal(
      limited.message,
      `${email} may now make 9,000 computations an hour, 20 a day, with 600 processor seconds an hour.`,
    )
    await done('accounts/set-limits', { account: email, day: 21 })
    await undone(limited)
    const { own_day, own_hour } = (await account(email)).limits
    assert.deepEqual([own_hour, own_day], [7, 21])
  })

  it('a version of the plan: the values from before are restored, unless another version followed', async () => {
    const { version } = await done('plan')
    const made = await outcomeOf('plan/set', {
      version,
      costs: { '/quantlib/pricing/bs/price': 5 },
      tiers: { pro: { hour: 6_000, day: null } },
      low_credits: 7,
    })
    assert.equal(
      made.message,
      `Made version ${version + 1} of the plan, which is in force on every node within 5 s.`,
    )
    await undone(made)
    const { costs: restored, low_credits: low, set } = await done('plan')
    assert.deepEqual([restored['/quantlib/pricing/bs/price'], low, set], [1, 100, []])
    assert.equal((await act(made.undo!.path.slice('/operator/v1/'.length), made.undo!.body)).status, 409)
  })

  it('a token and an endpoint of webhooks', async () => {
    const token = await outcomeOf('tokens/create', { name: 'for a day', role: 'viewer' })
    assert.match(token.message, /^Created token \d+ \(for a day, viewer\)\.$/)
    assert.match((await undone(token)).message, /^Revoked token \d+ \(for a day\)/)
    const endpoint = await outcomeOf('webhooks/create', { url: 'http://127.0.0.1:9/hook' })
    assert.match(endpoint.message, /^Created endpoint \d+: http:\/\/127\.0\.0\.1:9\/hook gets all events\.$/)
    assert.match((await undone(endpoint)).message, /^Deleted endpoint \d+/)
    assert.deepEqual((await done('webhooks')).items, [])
  })

  it('a rotation with one master key says that there is no other', async () => {
    const { message } = await outcomeOf('rotate-master-key', {})
    assert.match(message, /^There is only one master key, \w+: to rotate, put a new key before it/)
    assert.equal((await done('health')).master_keys, 1)
  })

  it('the command prints the sentence of the reply, and secrets below it', async () => {
    const { email } = await service.person()
    const granted = await quantd(['admin', 'grant', email, '250'])
    assert.equal(granted.out, `Granted 250 credits to ${email}; the balance is 600.\n`)
    const { out } = await quantd(['admin', 'token', 'create', 'printed', '--role', 'viewer'])
    assert.match(out, /^Created token \d+ \(printed, viewer\)\.\ntoken {2}qd_op_\w{43}\n$/)
  })
})

test('the command asks before it changes costs that accounts have paid this month', async () => {
  const { key } = await service.person()
  await service.compute(key)
  const path = '/quantlib/economics/utility/log'
  const set = (...more: string[]) => quantd(['admin', 'plan', 'set', '--cost', `${path}=5`, ...more])
  const asked = await set()
  assert.equal(asked.code, 2)
  assert.match(
    asked.err,
    /This touches (\d+) accounts?: \d+ calls? of this month cost \d+ credits?, and would have cost \d+\..*add --yes/,
  )
  assert.equal((await done('plan')).costs[path], 1)
  assert.equal((await set('--yes')).code, 0)
  assert.equal((await done('plan')).costs[path], 5)
  assert.deepEqual((await done('plan')).settings_costs, { [path]: 1 })
  const restore = (...more: string[]) =>
    quantd(['admin', 'plan', 'set', '--cost', `${path}=default`, ...more])
  assert.match((await restore()).err, /This touches \d+ accounts?: .* would have cost \d+\..*add --yes/)
  assert.equal((await restore('--yes')).code, 0)
  assert.deepEqual((await done('plan')).settings_costs, {})
})

test('the help of a command has a line about each value of a list', async () => {
  const { out } = await quantd(['admin', 'webhook', 'create', '--help'])
  assert.match(
    out,
    /Values of --types, separated by commas:\n {2}account\.created {3,}An account is registered/,
  )
  assert.match(out, /\n {2}credits\.exhausted {2,}The balance falls to 0\.\n/)
})

describe('an act that two persons do', async () => {
  const two = await useOperators({ QUANTD_TWO_PERSONS: 'delete,set-tier' })
  const second = await two.tokenOf('second', 'admin')

  it('is told by its confirmation, and the list says where its account was deleted since', async () => {
    const { email, key, password } = await two.service.person()
    await two.act('accounts/set-tier', { account: email, account_type: 'pro' })
    const [{ account_deleted: isGone, id }] = (await two.done('approvals?state=waiting')).items
    assert.equal(isGone, false)
    const { body } = await two.act('approvals/confirm', { id }, second)
    assert.equal(body.data.done, `Changed the type of ${email} from free to pro.`)
    assert.equal(body.message, `${body.data.done} Approval ${id} (set-tier, asked by admin) is confirmed.`)
    assert.equal((await two.service.call('/user/delete', { key, body: { password } })).status, 200)
    const [{ account_deleted: isDeleted }] = (await two.done('approvals')).items
    assert.equal(isDeleted, true)
  })
})
