/** `quantd mcp`: started as AI clients start it, and its bridge to a service that loses replies. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { compileCache } from '../../../scripts/run-node.js'
import { readClientConfig } from '../../../src/app/config/read-config.ts'
import { bridge } from '../../../src/serve/mcp/bridge.ts'
import { httpPeer } from '../../support/http-peer.ts'
import { useService } from '../../support/people.ts'
import { callTool, REVISIONS } from './clients.ts'

const CLI = join(import.meta.dirname, '../../../src/app/quantd.ts')

const service = await useService()

for (const revision of REVISIONS)
  test(`the tools work over standard input and output with revision ${revision}`, async () => {
    const key = await service.guest()
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
    )
    const env = { ...compileCache, PATH: process.env.PATH!, QUANTD_URL: service.url, QUANTD_API_KEY: key }
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env }))
    assert.equal(client.getNegotiatedProtocolVersion(), revision)
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'quote'))
    const replies = await Promise.all(
      [1, 2, 3].map((wealth) => callTool(client, 'economics_utility_log', { wealth })),
    )
    assert.deepEqual(
      replies.map(({ value }) => value.marginal_utility),
      [1, 1 / 2, 1 / 3],
    )
    assert.equal((await callTool(client, 'account')).value.credits, 47)
    await client.close()
  })

/** The lines that the bridge prints for these lines. */
async function bridged(lines: readonly string[], url: string, apiKey: string) {
  // biome-ignore lint/suspicious/noExplicitAny: replies may have any shape
  const replies: any[] = []
  await bridge({
    url,
    apiKey,
    lines: (async function* () {
      yield* lines
    })(),
    write: async (line) => {
      replies.push(JSON.parse(line))
    },
  })
  return replies
}

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'economics_utility_log', arguments: { wealth: 1 } },
})

test('every line is answered, also after the end of the input and where a line is no JSON', async () => {
  const replies = await bridged([CALL, 'no JSON', '', '[]'], service.url, await service.guest())
  assert.equal(replies.filter(({ error }) => error?.code === -32700).length, 2)
  assert.equal(replies.find(({ id }) => id === 7).result.structuredContent.utility, 0)
  assert.equal(replies.length, 3)
})

test('the refusal of a key is told to the client; without a key or with a malformed address nothing starts', async () => {
  const [reply] = await bridged([CALL], service.url, 'no')
  assert.deepEqual([reply.id, reply.error.message], [7, 'Invalid or expired API key'])
  assert.throws(() => readClientConfig({}), /^ConfigError: Set QUANTD_API_KEY/)
  assert.throws(() => readClientConfig({ QUANTD_API_KEY: 'k', QUANTD_URL: 'localhost:8080' }), /QUANTD_URL/)
})

test('a call whose reply is lost is repeated with the same idempotency key', async () => {
  const lossy = await httpPeer(async (response, { body, headers }, count) => {
    const reply = await service.call('/mcp', {
      raw: body,
      headers: { ...(headers as Record<string, string>), connection: 'close' },
    })
    if (count === 1) response.socket!.destroy()
    else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text)
  })
  try {
    const key = await service.guest()
    const [reply] = await bridged([CALL], lossy.url, key)
    assert.equal(lossy.sent.length, 2)
    assert.equal(lossy.sent[0].body, lossy.sent[1].body)
    assert.equal(reply.result._meta['quantd/standing'].replayed, true)
    assert.equal((await service.call('/user/profile', { key })).body.data.credits, 49)
  } finally {
    lossy.close()
  }
})

test('a redirection is reported, and neither followed with the key nor repeated', async () => {
  const moved = await httpPeer((response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end(),
  )
  try {
    const [reply] = await bridged([CALL], moved.url, 'qd_user_x')
    assert.deepEqual(
      [reply.id, reply.error.message],
      [
        7,
        'The address redirects to http://127.0.0.1:1/elsewhere; set QUANTD_URL to the address of the service itself.',
      ],
    )
    assert.deepEqual(
      moved.sent.map(({ url }) => url),
      ['/mcp'],
    )
  } finally {
    moved.close()
  }
})
