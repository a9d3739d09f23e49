/** Every endpoint of operators runs its statements once, on each database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plain } from '../../src/derive/schemas.ts'
import { operatorEndpoints } from '../../src/operators/http/endpoints.ts'
import { useOperators } from '../support/operators.ts'

const { act, service } = await useOperators()

/** Values of queries that endpoints require. */
const GIVEN = {
  day: '2026-01-01',
  month: '2026-01',
  q: 'ada',
  path: '/quantlib/economics/utility/log',
  id: '1',
}

for (const { example, input, method, path, query } of operatorEndpoints)
  test(`${method} ${path} finds no fault in its statements`, async () => {
    const { email, key } = await service.person()
    const { headers } = await service.compute(key)
    const ofCall = { account: email, request_id: headers.get('x-request-id')! }
    const fields = Object.keys(plain(query ?? {}).properties ?? {})
    const asked = Object.entries({ ...GIVEN, ...ofCall }).filter(([name]) => fields.includes(name))
    const body = input && { ...example.input, ...('account' in (example.input ?? {}) && { account: email }) }
    const place = path.slice('/operator/v1/'.length)
    const { status, text } = await act(`${place}?${new URLSearchParams(asked)}`, body ?? undefined)
    assert.ok([200, 404, 409].includes(status), `${status}: ${text}`)
  })
