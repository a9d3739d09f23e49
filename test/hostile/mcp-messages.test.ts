/** MCP messages that compute nothing cost the event loop little, as fast as one key may send them. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { MINUTE_REQUESTS } from '../../src/base/limits/callers.ts'
import { eventLoopShares } from '../../src/compute/threads/event-loop-shares.ts'
import { useService } from '../support/people.ts'
import { startSender } from './sender.ts'

/** Processor time, more than that of a message without a key: several times what a busy machine takes. */
const NANOS_PER_BYTE = 200
const MORE_MS = 4
const TIMES = 40
const ATTEMPTS = 3

const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const ones = (count: number) => Array.from({ length: count }, () => 1)
const quoted = { tool: 'economics_utility_log', arguments: { wealth: ones(30_000) } }

const FLOODS: Readonly<Record<string, string>> = {
  'a quote of 60 KB': message('tools/call', { name: 'quote', arguments: quoted }),
  'a ping of 128 KB': message('ping', { x: ones(65_000) }),
  'a ping of 128 KB that names a tool call': message('ping', { 'tools/call': ones(65_000) }),
  'a handshake': message('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }),
  'a list of tools': message('tools/list', {}),
}

const service = await useService()
const sender = startSender()
after(() => sender.end())

/** Milliseconds of processor time that the thread of the event loop takes for one of these requests. */
async function costOf(key: string, body: string, times: number): Promise<number> {
  const before = process.threadCpuUsage()
  await sender.send({ url: `${service.url}/mcp`, key, body, times })
  const { system, user } = process.threadCpuUsage(before)
  return (system + user) / 1_000 / times
}

describe('messages that compute nothing', () => {
  for (const [what, body] of Object.entries(FLOODS))
    it(`cost little behind the limit: ${what}`, async (test) => {
      const key = await service.guest()
      await costOf(key, message('ping', {}), MINUTE_REQUESTS + 5)
      const limitMs = MORE_MS + (body.length * NANOS_PER_BYTE) / 1e6
      const more: number[] = []
      for (let attempt = 0; attempt < ATTEMPTS && (more.at(-1) ?? limitMs + 1) > limitMs; attempt++) {
        const least = await costOf(`${key}x`, body, TIMES)
        more.push((await costOf(key, body, TIMES)) - least)
      }
      test.diagnostic(`${more.map((ms) => ms.toFixed(2)).join(', ')} ms`)
      assert.ok(more.at(-1)! <= limitMs, `${more} ms for ${body.length} bytes`)
    })

  it('are handled in the share of their account, one after another', async () => {
    const shares = eventLoopShares(2)
    const order: string[] = []
    const handled = Array.from({ length: 4 }, (_, index) =>
      shares.runInTurn(1, async () => {
        order.push(`begun ${index}`)
        const until = performance.now() + 3
        while (performance.now() < until) await null
        order.push(`ended ${index}`)
        if (index === 1) throw new Error('fault')
      }),
    )
    setImmediate(function another() {
      order.push('others')
      if (order.length < 40) setImmediate(another)
    })
    const outcomes = await Promise.allSettled(handled)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    )
    const own = order.filter((entry) => entry !== 'others')
    assert.deepEqual(
      own,
      [0, 1, 2, 3].flatMap((index) => [`begun ${index}`, `ended ${index}`]),
    )
    for (const index of [1, 2, 3]) {
      const between = order.slice(order.indexOf(`ended ${index - 1}`) + 1, order.indexOf(`begun ${index}`))
      assert.ok(between.includes('others'), `${order}`)
    }
  })
})
