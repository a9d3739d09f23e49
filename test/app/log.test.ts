/** The log of a real service: a line for each request, found by the id in its reply. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { exchange } from '../support/edge.ts'
import { type NodeProcess, nodeProcess } from '../support/node-process.ts'
import { OPTION } from '../support/option.ts'
import { createGuest, request } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const PRICE = '/quantlib/pricing/bs/price'

const dataDir = temporaryFolder('log')
const unasked: string[] = []
let node: NodeProcess
const started = async (which: string) =>
  await nodeProcess({
    dataDir,
    settings: { LOG_REQUESTS: which, QUANTD_COMPUTE_THREADS: '1' },
    onUnasked: (message) => unasked.push(message),
  })
before(async () => {
  node = await started('all')
  await node.start()
})
after(async () => {
  await node.kill9()
  assert.deepEqual(unasked, [])
})

// biome-ignore lint/suspicious/noExplicitAny: a line of the log may hold any facts
type Line = Record<string, any>

/** The log lines of requests; the last piece of the file is empty, or a line that is being written. */
const lines = (): Line[] =>
  readFileSync(join(dataDir, 'log'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request')

/** The only line of a request. */
async function lineOf(requestId: string): Promise<Line> {
  const own = () => lines().filter((line) => line.requestId === requestId)
  await until(() => own().length > 0, `the log has a line with ${requestId}`)
  assert.equal(own().length, 1)
  return own()[0]
}

/** Sends bytes and returns the request id of the reply. */
async function malformed(bytes: string): Promise<string> {
  const reply = await exchange(Number(new URL(node.url).port), bytes)
  return /"request_id":"([^"]+)"/.exec(reply)![1]
}

describe('the log of requests', () => {
  it('has one line for a success, with account, status, time and credits', async () => {
    const key = await createGuest(node.url)
    const { body, headers, status } = await request(node.url + PRICE, { key, body: OPTION })
    assert.equal(status, 200, JSON.stringify(body))
    const { ms, time, ...line } = await lineOf(headers.get('x-request-id')!)
    assert.deepEqual(line, {
      level: 30,
      requestId: headers.get('x-request-id'),
      accountId: 1,
      method: 'POST',
      path: PRICE,
      status: 200,
      code: null,
      credits: 1,
      msg: 'request',
    })
    assert.ok(ms >= 0 && Math.abs(Date.now() - Date.parse(time)) < 600_000)
  })

  it('has one line for each failure, which its request id leads to', async () => {
    const key = await createGuest(node.url)
    const call = async (path: string, options: object) => (await request(node.url + path, options)).body.error
    const failures = [
      await call(PRICE, { key, body: {} }),
      await call(PRICE, {
        key: 'qd_guest_nonsense',
        body: OPTION,
        headers: { 'x-request-id': 'my.own-id_1' },
      }),
      await call('/user/login', { body: { email: 'ada@example.org', password: 'secret secret' } }),
      await call(`/${key}`, {}),
      await call('/%zz', {}),
      await call(PRICE, { method: 'DELETE' }),
    ]
    for (const { code, request_id } of failures) assert.equal((await lineOf(request_id)).code, code)
    for (const bytes of ['nonsense\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\n\r\n', 'GET * HTTP/1.1\r\n\r\n']) {
      const { code, path, status } = await lineOf(await malformed(bytes))
      assert.deepEqual([path, status >= 400, typeof code], [null, true, 'string'])
    }
  })

  it('holds no key, password, body or address of a person', () => {
    const all = JSON.stringify(lines())
    for (const secret of [/qd_(guest|user)_/, /secret/, /ada@/, /127\.0\.0\.1/, /volatility/])
      assert.doesNotMatch(all, secret)
  })

  it('keeps the last lines when the service stops', async () => {
    const { headers } = await request(`${node.url}/version`)
    assert.equal(await node.stop(), 0)
    assert.equal((await lineOf(headers.get('x-request-id')!)).path, '/version')
  })

  it('counts failures without an account by client and minute, behind the first', async () => {
    node = await started('failures')
    await node.start()
    const before = lines().length
    for (let i = 0; i < 50; i++) await request(`${node.url}/nothing`)
    for (let i = 0; i < 3; i++) await request(node.url + PRICE, { body: OPTION })
    assert.equal(await node.stop(), 0)
    const all = readFileSync(join(dataDir, 'log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('requests without an account'))
      .map((line) => JSON.parse(line))
    assert.equal(lines().length, before + 1)
    assert.deepEqual(
      all.map(({ client, failures }) => ({ client, failures })),
      [{ client: '127.0.0.1', failures: { route_not_found: 49, api_key_missing: 3 } }],
    )
  })

  it('has lines for failures only, unless the operator asks for more', async () => {
    node = await started('failures')
    await node.start()
    const { headers } = await request(`${node.url}/version`)
    const { body } = await request(node.url + PRICE, { body: OPTION })
    assert.equal((await lineOf(body.error.request_id)).code, 'api_key_missing')
    assert.equal(lines().filter(({ requestId }) => requestId === headers.get('x-request-id')).length, 0)
  })
})
