/** The limits on requests per client address. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MINUTE_MS, refused } from '../support/people.ts'
import { startTestService } from '../support/service.ts'

describe('the limits per client address', () => {
  it('let 300 registrations an hour and 600 logins and codes in ten minutes pass', async () => {
    const limited = await startTestService()
    try {
      // A body that is refused is counted too, and costs no password hash.
      const statuses = async (path: string, many: number) => {
        const found: number[] = []
        for (let sent = 0; sent < many; sent += 51)
          found.push(
            ...(await Promise.all(
              Array.from({ length: 51 }, async () => (await limited.call(path, { body: {} })).status),
            )),
          )
        return found
      }
      const registrations = await statuses('/user/register', 306)
      assert.equal(registrations.filter((status) => status === 422).length, 300)
      assert.equal(registrations.filter((status) => status === 429).length, 6)
      const guesses = [
        ...(await statuses('/user/login', 306)),
        ...(await statuses('/user/verify-otp', 204)),
        ...(await statuses('/user/reset-password', 102)),
      ]
      assert.equal(guesses.filter((status) => status === 422).length, 600)
      const refusal = await limited.call('/user/login', { body: {} })
      refused(refusal, 429, 'too_many_attempts')
      assert.ok(Number(refusal.headers.get('retry-after')) <= 600)
      limited.advance(10 * MINUTE_MS)
      assert.equal((await limited.call('/user/login', { body: {} })).status, 422)
    } finally {
      await limited.close()
    }
  })
})
