/** Tool calls of the usual form pass by the SDK's server; the same call through that server has the same reply. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sources } from '../../../src/derive/sources.ts'
import { ACCOUNT, COLUMNS, computationTools, QUOTE } from '../../../src/derive/tools.ts'
import { freePort } from '../../support/free-port.ts'
import { useService } from '../../support/people.ts'

const metricsPort = await freePort()
const service = await useService({ METRICS_PORT: String(metricsPort) })

const LOG = 'economics_utility_log'
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
}

interface Form {
  readonly version: string
  readonly params: (name: string) => object
  readonly headers: (name: string) => object
}

/** For each revision, the usual form of a tool call, and a form with the same meaning that is left to the SDK. */
const FORMS: Readonly<Record<string, { readonly usual: Form; readonly other: Form }>> = {
  '2025-11-25': {
    usual: { version: '2025-11-25', params: () => ({}), headers: () => ({}) },
    other: { version: '2025-11-25', params: () => ({ unknown: 1 }), headers: () => ({}) },
  },
  '2026-07-28': {
    usual: {
      version: '2026-07-28',
      params: () => ({ _meta: MODERN }),
      headers: (name) => ({ 'mcp-method': 'tools/call', 'mcp-name': name }),
    },
    other: {
      version: '2026-07-28',
      params: () => ({ _meta: MODERN }),
      headers: (name) => ({
        'mcp-method': 'tools/call',
        'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=`,
      }),
    },
  },
}

const CALLS: readonly (readonly [string, unknown])[] = [
  ...computationTools(sources).flatMap(({ name, path }) => {
    const { example } = sources.operations.find((operation) => operation.path === path)!
    return [
      [name, example.input],
      [name, { no: 1 }],
    ] as const
  }),
  [COLUMNS, { tool: LOG, columns: { wealth: [1, -1] } }],
  [QUOTE, { tool: LOG, arguments: { wealth: 1 } }],
  [QUOTE, { tool: 'no' }],
  [ACCOUNT, {}],
  [ACCOUNT, undefined],
  [LOG, { wealth: Array.from({ length: 10 }, () => 'x') }],
  ['no_such_tool', {}],
  [LOG, 'wealth'],
]

/** The credits that are left, the windows' ends and the request's id differ from call to call. */
const VARYING =
  /("request_id":"|quantd:\/\/results\/)[0-9a-f-]+|((?:credits|remaining|ends_in_seconds)\\*":)\d+/g
const without = (text: string): unknown =>
  JSON.parse(text.replaceAll(VARYING, (_, id, name) => id ?? `${name}0`))

describe('a tool call past the SDK has the reply of one through it', () => {
  for (const [revision, { other, usual }] of Object.entries(FORMS))
    test(revision, async () => {
      // A guest's windows would be used up within the list.
      const { key } = await service.person()
      const send = async ({ headers, params, version }: Form, name: string, given: unknown) => {
        const reply = await service.call('/mcp', {
          key,
          body: {
            jsonrpc: '2.0',
            id: 'x',
            method: 'tools/call',
            params: { name, arguments: given, ...params(name) },
          },
          headers: {
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': version,
            ...headers(name),
          },
        })
        return { status: reply.status, type: reply.headers.get('content-type'), reply: without(reply.text) }
      }
      let results = 0
      for (const [name, given] of CALLS) {
        const direct = await send(usual, name, given)
        assert.deepEqual(direct, await send(other, name, given), `${name} ${JSON.stringify(given)}`)
        results += JSON.stringify(direct).includes('"structuredContent"') ? 1 : 0
      }
      assert.ok(results >= 2 * computationTools(sources).length)
    })
})

test('either way the metrics count what a tool call was charged, its repetition and its failure', async () => {
  const { key } = await service.person()
  const counted = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  }
  const counts = () =>
    Promise.all(
      [
        'quantd_credits_charged_total{route="/mcp"}',
        'quantd_idempotent_replays_total',
        'quantd_failures_total{code="idempotency_conflict"}',
      ].map(counted),
    )
  for (const [name, { usual, other }] of Object.entries(FORMS))
    for (const form of [usual, other]) {
      const [credits = 0, replays = 0, failures = 0] = await counts()
      for (const wealth of [2, 2, 3]) {
        const params = { name: LOG, arguments: { wealth }, ...form.params(LOG) }
        const { status, text } = await service.call('/mcp', {
          key,
          body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
          headers: {
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': form.version,
            'idempotency-key': `${name} ${form === usual}`.replace(' ', '-'),
            ...form.headers(LOG),
          },
        })
        assert.equal(status, 200, text)
      }
      assert.deepEqual(await counts(), [credits + 1, replays + 1, failures + 1], name)
    }
})
