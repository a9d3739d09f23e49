/** Tools for a team key: those of its operations, and what it may spend. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useService } from '../../support/people.ts'
import { closedAfter } from '../../support/service.ts'
import { callTool, connect, REVISIONS } from './clients.ts'

const service = await useService()

const LOG = 'economics_utility_log'

for (const revision of REVISIONS)
  test(`a team key is given the tools of its paths, and its cap, in revision ${revision}`, async () => {
    const owner = await service.person()
    const { body } = await service.call('/user/keys/create', {
      key: owner.key,
      body: { name: 'agent', paths: ['/quantlib/economics/utility/log'], credit_cap: 5 },
    })
    const client = closedAfter(await connect(service.url, revision, { 'x-api-key': body.data.key }))
    const { tools } = await client.listTools()
    assert.deepEqual(tools.map(({ name }) => name).sort(), ['account', 'batch', 'columns', LOG, 'quote'])
    assert.equal((await callTool(client, LOG, { wealth: 2 })).isError, false)
    const outside = { p: [0.5, 0.5] }
    const refused = await callTool(client, 'physics_entropy_shannon', outside)
    assert.deepEqual([refused.isError, refused.value.code], [true, 'key_forbidden'])
    const quote = await callTool(client, 'quote', { tool: 'physics_entropy_shannon', arguments: outside })
    assert.deepEqual([quote.value.would_succeed, quote.value.reason.code], [false, 'key_forbidden'])
    const calls = [
      { path: '/quantlib/economics/utility/log', body: { wealth: 2 } },
      { path: '/quantlib/physics/entropy/shannon', body: outside },
    ]
    const batch = await callTool(client, 'batch', { calls })
    const codes = batch.value.results.map((one: { error?: { code: string } }) => one.error?.code ?? 'ok')
    assert.deepEqual(codes, ['ok', 'key_forbidden'])
    const rows = { tool: 'pricing_bs_price', columns: { spot: [1, 2] } }
    const columns = await callTool(client, 'columns', rows)
    assert.deepEqual([columns.isError, columns.value.code], [true, 'key_forbidden'])
    const { value } = await callTool(client, 'account')
    assert.deepEqual([value.account_type, value.cap, value.cap_left], ['team', 5, 3])
  })
