/** Login returns the current key of the account. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findAccount, type RegisteredAccount } from '../../src/accounts/account.ts'
import type { AccountContext } from '../../src/accounts/account-endpoint.ts'
import { keyOf, revealKey } from '../../src/accounts/login.ts'
import { number, query } from '../support/database.ts'
import { count, freshEmail, PASSWORD, refused, times, useService } from '../support/people.ts'

const service = await useService()
const ada = await service.person({ full_name: 'Ada Lovelace' })

describe('POST /user/login', () => {
  it('returns the present key, the account and the top-level message', async () => {
    const { body, status } = await service.login(ada.email)
    assert.equal(status, 200)
    assert.equal(body.message, 'Login successful')
    assert.equal(body.data.api_key, ada.key)
    const { user_id, ...user } = body.data.user
    assert.ok(Number.isInteger(user_id))
    assert.deepEqual(user, {
      email: ada.email,
      full_name: 'Ada Lovelace',
      credits: 350,
      account_type: 'free',
    })
  })

  it('takes the address in any case, and the password in any composition of its letters', async () => {
    const zoe = await service.person({ password: 'Zo\u00EB\u2019s password' })
    const answer = await service.login(zoe.email.toUpperCase(), 'Zoe\u0308\u2019s password')
    assert.equal(answer.body.data.api_key, zoe.key)
  })

  it('answers as for an unknown address where the account is deleted before its key is shown', async () => {
    const { email, key, password } = await service.person()
    const run = service.store.run
    const deleting: typeof run = async (verb, ...args) => {
      if ((verb as unknown) === revealKey) await service.call('/user/delete', { key, body: { password } })
      return await run(verb, ...args)
    }
    const origin = { ip: '', method: '', path: '', requestId: '', subject: '' }
    const account = await run(findAccount, { address: email })
    const context = { store: { run: deleting }, vault: { open: () => key } } as unknown as AccountContext
    await assert.rejects(keyOf(context, account as RegisteredAccount, origin), {
      code: 'invalid_credentials',
    })
  })

  it('answers a wrong password, an unknown address and an unverified one alike', async () => {
    const pending = freshEmail()
    await service.register(pending)
    const answers = [
      await service.login(ada.email, 'not the password'),
      await service.login(freshEmail()),
      await service.login(pending),
    ]
    const texts = answers.map((answer) => {
      refused(answer, 401, 'invalid_credentials')
      return answer.text.replace(answer.body.error.request_id, '')
    })
    assert.equal(new Set(texts).size, 1)
  })

  it('records in the audit each time that it shows the key', async () => {
    const shown = () =>
      number(service, `SELECT count(*) FROM audit WHERE code = 'key_revealed' AND request_id = 'a-login'`)
    const headers = { 'x-request-id': 'a-login' }
    await service.call('/user/login', { body: { email: ada.email, password: 'not it' }, headers })
    assert.equal(await shown(), 0)
    await service.call('/user/login', { body: { email: ada.email, password: PASSWORD }, headers })
    assert.equal(await shown(), 1)
  })

  it('lets one account log in 40 times at once', async () => {
    const answers = await times(40, () => service.login(ada.email))
    assert.equal(count(answers, 200), 40)
  })

  it('does not give the key of a suspended account, and says why only after the right password', async () => {
    const eve = await service.person()
    await query(
      service,
      `UPDATE api_keys SET status = 'suspended' WHERE account_id = (SELECT id FROM accounts WHERE address = '${eve.email}')`,
    )
    refused(await service.login(eve.email, 'not the password'), 401, 'invalid_credentials')
    const answer = await service.login(eve.email)
    refused(answer, 403, 'key_suspended')
    assert.ok(!answer.text.includes('qd_user_'))
    refused(await service.compute(eve.key), 401, 'api_key_invalid')
    refused(await service.regenerate(eve.key), 401, 'api_key_invalid')
  })
})
