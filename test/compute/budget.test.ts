/** Computations that need more work than they were estimated to need. */
import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { pino } from 'pino'
import { americanOperation } from '../../src/compute/catalogue/pricing/american.ts'
import { assertFailure } from '../support/failures.ts'
import { OPTION } from '../support/option.ts'
import { useService } from '../support/people.ts'
import { UNLIMITED } from '../support/service.ts'

const lines: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) })
const service = await useService({}, { log })
const key = await service.guestWith(UNLIMITED)

const { path } = americanOperation
const put = { ...OPTION, option_type: 'put' }
const cheap = { path: '/quantlib/economics/utility/log', body: { wealth: 2 } }

describe('a computation that needs over four times its estimate', () => {
  for (const [endpoint, body] of [
    [path, put],
    [`${path}/columns`, { columns: { ...put, spot: [100, 101] } }],
    ['/quantlib/batch', { calls: [cheap, { path, body: put }] }],
  ] as const)
    it(`is stopped by POST ${endpoint}, is not charged, and is logged as a bug`, async () => {
      assert.equal((await service.call(endpoint, { key, body })).status, 200)
      lines.length = 0
      const { work } = americanOperation
      const estimate = mock.method(
        americanOperation,
        'work',
        (input: Parameters<typeof work>[0]) => 0.01 * work(input),
      )
      try {
        const answer = await service.call(endpoint, { key, body })
        assertFailure(answer, 503, 'overloaded')
        assert.equal(answer.headers.get('x-credits-cost'), '0')
        assert.equal(answer.headers.get('retry-after'), '1')
        assert.deepEqual(
          lines.map((line) => JSON.parse(line)).map(({ err, requestId }) => [err.type, requestId]),
          [['BudgetExceeded', answer.headers.get('x-request-id')]],
        )
      } finally {
        estimate.mock.restore()
      }
      assert.equal((await service.call(endpoint, { key, body })).status, 200)
    })
})
