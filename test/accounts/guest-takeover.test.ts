/** A guest who registers: credits and history move to the account once, and the guest key ends. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { query, unbalanced } from '../support/database.ts'
import { COMPUTED, count, freshEmail, HOUR_MS, refused, useService } from '../support/people.ts'
import { tidied } from '../support/tidied.ts'

const service = await useService()

const credits = async (key: string) => (await service.call('/user/credits', { key })).body.data
const usage = async (key: string) => (await service.call('/user/usage', { key })).body.data.items

async function registered(guestKey: string) {
  const email = freshEmail()
  const { registration } = (await service.register(email, { guest_api_key: guestKey })).body.data
  const { code } = await service.letterNumber(1, email)
  return { email, code: code!, confirm: () => service.verify(email, code!, { registration }) }
}

describe('a guest key given at registration', () => {
  it('moves its remaining credits and its history, and ends', async () => {
    const guest = await service.guest()
    for (let i = 0; i < 3; i++) await service.compute(guest)
    const { confirm } = await registered(guest)
    assert.equal((await service.compute(guest)).status, 200, 'it serves until the verification')
    const key = (await confirm()).body.data.api_key
    refused(await service.compute(guest), 401, 'api_key_invalid')
    const { credits: balance, granted, grants, spent } = await credits(key)
    assert.deepEqual([balance, granted, spent], [396, 396, 0])
    assert.deepEqual(
      grants.map(({ credits, reason }: { credits: number; reason: string }) => [reason, credits]),
      [
        ['verification', 350],
        ['transfer_in', 46],
      ],
    )
    assert.equal((await usage(key)).length, 4)
    assert.deepEqual(await unbalanced(service), [])
  })

  it('moves its idempotency keys: a request that it paid for is repeated without a charge', async () => {
    const guest = await service.guest()
    const send = (key: string, wealth: number) =>
      service.call(COMPUTED, { key, body: { wealth }, headers: { 'idempotency-key': 'order-1' } })
    const paid = await send(guest, 2)
    const { confirm } = await registered(guest)
    const key = (await confirm()).body.data.api_key
    const before = (await credits(key)).credits
    const repeated = await send(key, 2)
    assert.deepEqual([repeated.status, repeated.text], [200, paid.text])
    assert.equal((await credits(key)).credits, before)
    refused(await send(key, 3), 409, 'idempotency_conflict')
    assert.deepEqual(await unbalanced(service), [])
  })

  it('keeps its history beyond the week after which guests are deleted, without the device', async () => {
    const guest = await service.guest()
    await service.compute(guest)
    const { confirm } = await registered(guest)
    const key = (await confirm()).body.data.api_key
    service.advance(9 * 24 * HOUR_MS)
    await tidied(service)
    assert.equal((await usage(key)).length, 1)
    const told = await query(
      service,
      'SELECT device_id, device_name, platform FROM accounts WHERE linked_to IS NOT NULL AND device_id IS NOT NULL',
    )
    assert.deepEqual(told, [])
  })

  it('is ignored when it is expired, unknown, malformed or a registered key', async () => {
    const { key: registeredKey } = await service.person()
    const expired = await service.guest()
    const late = await registered(expired)
    service.advance(24 * HOUR_MS)
    // The code has expired as well: a new one is asked for.
    await service.call('/user/resend-otp', { body: { email: late.email } })
    const { code } = await service.letterNumber(2, late.email)
    const answers = [await service.verify(late.email, code!)]
    for (const useless of [`qd_guest_${'x'.repeat(43)}`, 'nonsense', registeredKey])
      answers.push(await (await registered(useless)).confirm())
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text)
      assert.equal((await credits(answer.body.data.api_key)).credits, 350)
    }
    assert.equal((await service.compute(registeredKey)).status, 200)
  })

  it('goes to one of two accounts that are verified at once', async () => {
    for (let round = 0; round < 3; round++) {
      const guest = await service.guest()
      const people = [await registered(guest), await registered(guest)]
      const answers = await Promise.all(people.map(({ confirm }) => confirm()))
      const balances = await Promise.all(
        answers.map(async ({ body }) => (await credits(body.data.api_key)).credits),
      )
      assert.deepEqual(balances.sort(), [350, 400])
    }
    assert.deepEqual(await unbalanced(service), [])
  })

  it('loses and doubles no credit to computations that are under way', async () => {
    for (let round = 0; round < 3; round++) {
      const guest = await service.guest()
      const { confirm } = await registered(guest)
      const [verified, ...computed] = await Promise.all([
        confirm(),
        ...Array.from({ length: 30 }, () => service.compute(guest)),
      ])
      const paid = count(computed, 200)
      for (const answer of computed) if (answer.status !== 200) refused(answer, 401, 'api_key_invalid')
      assert.equal((await credits(verified.body.data.api_key)).credits, 400 - paid)
    }
    assert.deepEqual(await unbalanced(service), [])
  })

  it('is recorded in the audit with both accounts', async () => {
    const { confirm } = await registered(await service.guest())
    await confirm()
    const [event] = await query(
      service,
      `SELECT detail FROM audit WHERE code = 'guest_taken_over' ORDER BY at DESC, id DESC LIMIT 1`,
    )
    const { credits: moved, guest } = JSON.parse(event!.detail as string)
    assert.equal(moved, 50)
    assert.ok(Number.isInteger(guest))
  })
})
