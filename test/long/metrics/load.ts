/** Requests that move every metric of a service: successes, failures, replays, a batch, heavy work, mail. */
import assert from 'node:assert/strict'
import { OPTION } from '../../support/option.ts'
import { createGuest, request } from '../../support/service.ts'

const PRICE = '/quantlib/pricing/bs/price'
/** Over 64 KiB as JSON, so that a thread computes it. */
const ROWS = 10_000

export async function applyEverything(url: string): Promise<void> {
  const key = await createGuest(url)
  const send = async (path: string, status: number, options: object): Promise<void> => {
    const answer = await request(url + path, options)
    assert.equal(answer.status, status, answer.text)
  }
  const once = { key, body: OPTION, headers: { 'idempotency-key': 'once' } }
  for (let i = 0; i < 5; i++) await send(PRICE, 200, { key, body: OPTION })
  await send(PRICE, 200, once)
  await send(PRICE, 200, once)
  await send(PRICE, 422, { key, body: {} })
  await send(PRICE, 401, { body: OPTION })
  await send('/nowhere', 404, {})
  await send('/quantlib/batch', 200, { key, body: { calls: [{ path: PRICE, body: OPTION }] } })
  const X = Array.from({ length: ROWS }, (_, row) => [row % 17, (row * row) % 23])
  await send('/quantlib/ml/preprocessing/outliers', 200, { key, body: { X } })
  const applicant = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery' }
  await send('/user/register', 200, { body: applicant })
}
