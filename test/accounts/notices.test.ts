/** Mails to the owner when the balance falls to thresholds of their choice. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NOTICES_EVERY_MS } from '../../src/base/limits/operation.ts'
import { useOperators } from '../support/operators.ts'
import { HOUR_MS, refused, times } from '../support/people.ts'

const { done, service } = await useOperators()
const PATH = '/user/notices'

const set = (key: string, credits: unknown) => service.call(PATH, { key, body: { credits } })

/** The subjects of the mails after the one with the code of the registration, once `count` have come. */
async function subjects(email: string, count: number): Promise<string[]> {
  if (count > 0) await service.letterNumber(count + 1, email)
  return service
    .letters(email)
    .slice(1)
    .map(({ subject }) => subject)
}

/** Waits until balances were looked at twice. */
const looks = () => sleep(2.5 * NOTICES_EVERY_MS)

const grant = (account: string, credits: number, reference: string) =>
  done('grants', { account, credits, reference })

// At once, because most of them wait for looks at the balances.
describe('the notices of an account', { concurrency: true }, () => {
  it('are the thresholds that were set last, the highest first; none at first', async () => {
    const { key } = await service.person()
    assert.deepEqual(await service.dataOf(key, PATH), { credits: [] })
    assert.deepEqual((await set(key, [0, 1000, 100, 100])).body.data, { credits: [1000, 100, 0] })
    assert.deepEqual(await service.dataOf(key, PATH), { credits: [1000, 100, 0] })
    assert.deepEqual((await set(key, [])).body.data, { credits: [] })
    assert.deepEqual(await service.dataOf(key, PATH), { credits: [] })
  })

  it('are refused with what is wrong, and to guests and team keys', async () => {
    const { key } = await service.person()
    for (const credits of [
      undefined,
      null,
      5,
      [-1],
      [1.5],
      ['1'],
      [1e9 + 1],
      Array.from({ length: 11 }, (_, i) => i),
    ])
      refused(await set(key, credits), 422, 'invalid_input')
    refused(await set(await service.guest(), [1]), 403, 'guest_forbidden')
    const team = (await service.call('/user/keys/create', { key, body: { name: 'n' } })).body.data.key
    refused(await set(team, [1]), 403, 'key_forbidden')
  })

  it('cause one mail for each threshold that the balance falls to, and none where it lies below from the start', async () => {
    const { email, key } = await service.person()
    await set(key, [1000, 349, 348])
    await looks()
    assert.deepEqual(await subjects(email, 0), [])
    await service.compute(key)
    assert.deepEqual(await subjects(email, 1), ['Your credits have fallen to 349'])
    await service.compute(key)
    assert.deepEqual(await subjects(email, 2), [
      'Your credits have fallen to 349',
      'Your credits have fallen to 348',
    ])
    const text = (await service.letterNumber(3, email)).source.replaceAll('=\r\n', '').replaceAll('\r\n', ' ')
    assert.match(text, /348 credits are left on your account/)
    assert.match(text, /a mail when the balance falls to 348/)
  })

  it('cause one mail however many calls cross a threshold at once', async () => {
    const { email, key } = await service.person()
    await set(key, [340])
    await times(20, () => service.compute(key))
    await subjects(email, 1)
    await looks()
    assert.equal((await subjects(email, 1)).length, 1)
  })

  it('cause a mail again after the balance has risen, at most one an hour', async () => {
    const { email, key } = await service.person()
    await set(key, [349])
    await service.compute(key)
    await subjects(email, 1)
    await grant(email, 1, `risen ${email}`)
    await looks()
    await service.compute(key)
    await looks()
    assert.equal((await subjects(email, 1)).length, 1)
    service.advance(HOUR_MS)
    assert.equal((await subjects(email, 2)).length, 2)
  })

  it('cause none again where the same thresholds are set again, or the threshold was removed', async () => {
    const { email, key } = await service.person()
    await set(key, [349])
    await service.compute(key)
    await subjects(email, 1)
    await set(key, [349, 348])
    await set(key, [349])
    await service.compute(key)
    await looks()
    assert.equal((await subjects(email, 1)).length, 1)
  })

  it('end with the account', async () => {
    const { email, key, password } = await service.person()
    await set(key, [100, 0])
    assert.equal((await service.call('/user/delete', { key, body: { password } })).status, 200)
    await looks()
    assert.deepEqual(await subjects(email, 1), ['Your account was deleted'])
  })
})
