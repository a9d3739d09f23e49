/** A short run of the fuzzer with a fixed seed; `npm run fuzz` is the long version. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type FuzzResult, fuzz } from './run.ts'

const REQUESTS = 4_000
const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const ENDPOINTS = Object.values<object>(paths).flatMap((methods) => Object.keys(methods)).length

describe('four thousand malformed and valid requests', () => {
  let result: FuzzResult

  test('each get a reply that agrees with openapi.json and the ledger', async () => {
    result = await fuzz({
      database: 'sqlite',
      seed: 20_260_101,
      requests: REQUESTS,
      lanes: 24,
      onlyLane: null,
    })
    const violations = result.tally.violations.map(
      ({ fault, number, sent }) => `request ${number}: ${fault}\n${sent.toString('latin1').slice(0, 500)}`,
    )
    assert.deepEqual([...violations, ...result.faults], [])
    assert.equal(result.tally.requests, REQUESTS)
  })

  test('reach every endpoint, and every status of a computation except overload', () => {
    const { endpoints, kinds } = result.tally
    for (const [path, statuses] of endpoints)
      if (path.startsWith('/quantlib/'))
        for (const status of [200, 400, 422])
          assert.ok(statuses.has(status), `${path} was never answered ${status}`)
    const all = new Set([...endpoints.values()].flatMap((statuses) => [...statuses.keys()]))
    for (const status of [200, 400, 401, 402, 403, 409, 415, 422, 429])
      assert.ok(all.has(status), String(status))
    assert.equal(endpoints.size, ENDPOINTS)
    assert.ok(kinds.size >= 24, [...kinds.keys()].join(', '))
  })
})
