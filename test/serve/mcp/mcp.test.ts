/** MCP over HTTP, spoken by the official client in both protocol revisions, against a service. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { useService } from '../../support/people.ts'
import { callTool, connect, REVISIONS } from './clients.ts'

const LOG_UTILITY = 'economics_utility_log'

const service = await useService()

/** The rows of the account's usage and its balance, as the HTTP endpoints report them. */
async function books(key: string) {
  const { data } = (await service.call('/user/usage/summary', { key })).body
  const { balance, credits } = (await service.call('/user/credits', { key })).body.data
  return {
    calls: data.by_endpoint as { path: string; calls: number; credits: number }[],
    credits: credits ?? balance,
  }
}

for (const revision of REVISIONS)
  describe(`MCP ${revision}`, () => {
    let key: string
    let client: Client
    before(async () => {
      key = await service.guest()
      client = await connect(service.url, revision, { 'x-api-key': key })
    })
    after(() => client.close())

    test('connecting, listing tools, account and quote consume no window and no credit', async () => {
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      const { tools } = await client.listTools()
      assert.equal(tools.length, operations.length + 4)
      for (const { description, name } of tools) assert.match(description ?? '', / Returns /, name)
      const account = await callTool(client, 'account')
      assert.deepEqual(
        account.value.windows.map((window: { window: string; remaining: number }) => [
          window.window,
          window.remaining,
        ]),
        [
          ['hour', 60],
          ['day', 50],
        ],
      )
      assert.equal(account.value.credits, 50)
      const quote = await callTool(client, 'quote', { tool: LOG_UTILITY, arguments: { wealth: 2 } })
      assert.deepEqual(quote.value, {
        would_succeed: true,
        cost: 1,
        credits: 50,
        windows: [
          { window: 'hour', limit: 60, remaining: 60 },
          { window: 'day', limit: 50, remaining: 50 },
        ],
      })
      assert.deepEqual(await books(key), { calls: [], credits: 50 })
    })

    test('a tool gives what the endpoint gives, is charged once, and appears in the usage', async () => {
      for (const { example, path } of operations) {
        const name = path.replace('/quantlib/', '').replace(/[/-]/g, '_')
        const reply = await callTool(client, name, example.input)
        assert.equal(reply.isError, false, reply.text)
        assert.deepEqual(reply.value, example.output, path)
        assert.deepEqual(JSON.parse(reply.text), example.output, path)
        assert.equal(reply.standing.charged, 1)
      }
      const { calls, credits } = await books(key)
      assert.equal(credits, 50 - operations.length)
      assert.deepEqual(
        calls.map(({ path }) => path).sort(),
        operations.map(({ path }) => path as string).sort(),
      )
    })

    test('a repeated call with its idempotency key is replayed without a charge; with other arguments it is refused', async () => {
      const { credits } = await books(key)
      const first = await callTool(client, LOG_UTILITY, { wealth: 3 }, 'mine')
      const again = await callTool(client, LOG_UTILITY, { wealth: 3 }, 'mine')
      assert.deepEqual([first.standing.replayed, again.standing.replayed], [false, true])
      assert.deepEqual(again.value, first.value)
      const other = await callTool(client, LOG_UTILITY, { wealth: 4 }, 'mine')
      assert.equal(other.isError, true)
      assert.equal(other.value.code, 'idempotency_conflict')
      assert.equal((await books(key)).credits, credits - 1)
    })

    test('an error names the argument to change, and charges nothing', async () => {
      const { credits } = await books(key)
      const reply = await callTool(client, LOG_UTILITY, { welth: 1 })
      assert.equal(reply.isError, true)
      assert.match(reply.text, /^- \/wealth: is required$/m)
      assert.match(reply.text, /^- \/welth: .*did you mean "wealth"\?$/m)
      assert.match(reply.text, /Nothing was charged\. Correct these arguments/)
      assert.equal((await books(key)).credits, credits)
    })

    test('a quote tells why a call would fail', async () => {
      const faulty = await callTool(client, 'quote', { tool: LOG_UTILITY, arguments: { wealth: 'x' } })
      assert.equal(faulty.value.would_succeed, false)
      assert.equal(faulty.value.cost, 0)
      assert.equal(faulty.value.reason.code, 'invalid_input')
      const calls = Array.from({ length: 500 }, () => ({
        path: '/quantlib/economics/utility/log',
        body: { wealth: 1 },
      }))
      const dear = await callTool(client, 'quote', { tool: 'batch', arguments: { calls } })
      assert.equal(dear.value.cost, 500)
      assert.equal(dear.value.reason.code, 'credits_exhausted')
      assert.equal(dear.value.reason.needed, 500)
      const unknown = await callTool(client, 'quote', { tool: 'econmics_utility_log', arguments: {} })
      assert.equal(unknown.isError, true)
      assert.match(unknown.text, /did you mean economics_utility_log\?/)
    })

    test('columns compute many rows, with the charge of the rows that succeed', async () => {
      const { credits } = await books(key)
      const given = { tool: LOG_UTILITY, columns: { wealth: [1, -1, 4] } }
      const quote = await callTool(client, 'quote', { tool: 'columns', arguments: given })
      assert.deepEqual([quote.value.would_succeed, quote.value.cost], [true, 3])
      const reply = await callTool(client, 'columns', given)
      assert.deepEqual(reply.value.columns.marginal_utility, [1, null, 0.25])
      assert.equal(reply.value.errors[0].row, 1)
      assert.equal((await books(key)).credits, credits - 2)
      const none = await callTool(client, 'columns', { tool: 'physics_entropy_shannon', columns: {} })
      assert.match(none.text, /has no columns; .* "batch"/)
    })

    test('an unknown tool is a protocol error that suggests the nearest', async () => {
      await assert.rejects(callTool(client, 'economics_utility_logs'), /did you mean economics_utility_log\?/)
    })

    test('a large result is summarised for the model and attached in full for the user', async () => {
      const X = Array.from({ length: 1_000 }, (_, index) => [
        Math.sin(index),
        index === 77 ? 50 : Math.cos(index),
      ])
      const reply = await callTool(client, 'ml_clustering_isolation_forest', { X, contamination: 0.005 })
      assert.ok(reply.text.length < 2_000, reply.text)
      assert.ok(reply.value.predictions.rarest.at.includes(77))
      const [, attached] = reply.content
      assert.deepEqual(attached.annotations, { audience: ['user'] })
      const whole = await service.call('/quantlib/ml/clustering/isolation-forest', {
        key,
        body: { X, contamination: 0.005 },
      })
      assert.deepEqual(JSON.parse(attached.resource.text), whole.body.data)
    })

    test('a used-up balance is reported in the result, and nothing is computed', async () => {
      const { credits } = await books(key)
      const calls = (count: number) =>
        Array.from({ length: count }, () => ({
          path: '/quantlib/economics/utility/log',
          body: { wealth: 1 },
        }))
      const spent = await callTool(client, 'batch', { calls: calls(credits) })
      assert.equal(spent.standing.credits, 0)
      const refused = await callTool(client, LOG_UTILITY, { wealth: 1 })
      assert.equal(refused.isError, true)
      assert.equal(refused.value.code, 'credits_exhausted')
      assert.deepEqual([refused.value.needed, refused.value.balance], [1, 0])
      assert.match(refused.text, /Do not repeat the call/)
      assert.equal((await callTool(client, 'account')).value.credits, 0)
    })
  })

test('the key may be sent as a bearer token', async () => {
  const client = await connect(service.url, '2026-07-28', {
    authorization: `Bearer ${await service.guest()}`,
  })
  assert.equal((await callTool(client, 'account')).value.credits, 50)
  await client.close()
})
