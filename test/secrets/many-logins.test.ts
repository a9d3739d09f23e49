/** Many logins at once: bounded work, so that neither memory nor computations suffer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from '../support/database.ts'
import { count, freshEmail, startWithoutIpLimits, times } from '../support/people.ts'
import { timeTaken } from '../support/time-taken.ts'

const LOGINS = 200
const MIB = 1024 * 1024

test('two hundred logins at once are all answered, in bounded memory, while computations go on', async (t) => {
  const service = await startWithoutIpLimits({}, { passwordCost: undefined })
  try {
    const { key } = await service.person()
    const [account] = await query(service, 'SELECT password_hash FROM accounts')
    assert.match(String(account!.password_hash), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const before = process.memoryUsage().rss
    let peak = before
    let isOver = false
    const answers = times(LOGINS, () => service.login(freshEmail())).finally(() => {
      isOver = true
    })
    const took: number[] = []
    while (!isOver) {
      const { ms, result } = await timeTaken(() => service.compute(key))
      assert.equal(result.status, 200)
      took.push(ms)
      peak = Math.max(peak, process.memoryUsage().rss)
      await new Promise((resume) => setTimeout(resume, 20))
    }
    assert.equal(count(await answers, 401), LOGINS)
    // Side by side they would need 200 × 19 MiB.
    assert.ok(peak - before < 400 * MIB, `${Math.round((peak - before) / MIB)} MiB`)
    took.sort((a, b) => a - b)
    assert.ok(took.length > 5 && took[took.length >> 1] < 500, `median ${took[took.length >> 1]} ms`)
    t.diagnostic(
      `${LOGINS} logins, ${Math.round((peak - before) / MIB)} MiB more; computations meanwhile: median ${took[took.length >> 1].toFixed(1)} ms, most ${took.at(-1)!.toFixed(1)} ms`,
    )
  } finally {
    await service.close()
  }
})
