/** quantd admin grant --reference: each reference is granted once in the whole ledger, however often it is sent. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { number } from '../../../support/database.ts'
import { operator, settingsOf } from '../../../support/operator.ts'
import { useService } from '../../../support/people.ts'

const service = await useService()
const quantd = operator(settingsOf(service))

let accounts = 0
async function account(): Promise<string> {
  const email = `payer-${++accounts}@example.org`
  assert.equal((await quantd(['admin', 'create', email, '--credits', '0'])).code, 0)
  return email
}
const grant = (email: string, credits: string, ...more: string[]) =>
  quantd(['admin', 'grant', email, credits, '--json', ...more])
const movements = (reference: string) =>
  number(service, `SELECT count(*) FROM ledger WHERE reference = '${reference}'`)

describe('a reference', () => {
  it('is granted once; the second run says that nothing was changed', async () => {
    const email = await account()
    const first = await grant(email, '250', '--reference', 'invoice 1')
    const second = await grant(email, '250', '--reference', 'invoice 1', '--note', 'again')
    const facts = ({ json }: typeof first) => [json.changed, json.granted, json.credits]
    assert.deepEqual(
      [facts(first), facts(second)],
      [
        [true, 250, 250],
        [false, 0, 250],
      ],
    )
    const words = await quantd(['admin', 'grant', email, '250', '--reference', 'invoice 1'])
    assert.equal(words.code, 0)
    assert.match(
      words.out,
      /^invoice 1 was granted to .* before, and nothing was changed; the balance is 250\.$/m,
    )
    assert.equal(await movements('invoice 1'), 1)
  })

  it('is refused with other credits', async () => {
    const email = await account()
    await grant(email, '250', '--reference', 'invoice 2')
    const other = await grant(email, '251', '--reference', 'invoice 2')
    assert.equal(other.code, 1)
    assert.match(other.err, /invoice 2 was used before: 250 credits were granted .* Nothing was changed/)
    assert.equal(await number(service, `SELECT balance FROM accounts WHERE address = '${email}'`), 250)
  })

  it('is unique in the whole ledger: it is refused to another account, also at the same time', async () => {
    const emails = [await account(), await account()]
    const runs = await Promise.all(emails.map((email) => grant(email, '10', '--reference', 'invoice 4')))
    assert.deepEqual(runs.map(({ code }) => code).sort(), [0, 1])
    assert.match(runs.find(({ code }) => code === 1)!.err, /invoice 4 was used before/)
    assert.equal(await movements('invoice 4'), 1)
  })

  it('that is empty or too long is refused, and without one each run grants', async () => {
    const email = await account()
    for (const reference of ['', 'x'.repeat(201), 'a\nb'])
      assert.equal((await grant(email, '10', '--reference', reference)).code, 2)
    for (let i = 0; i < 2; i++) assert.equal((await grant(email, '10')).code, 0)
    assert.equal(await number(service, `SELECT balance FROM accounts WHERE address = '${email}'`), 20)
  })
})
