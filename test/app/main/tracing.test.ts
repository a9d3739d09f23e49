/** Traces of a real service, sent to a receiver of OTLP over HTTP. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type NodeProcess, nodeProcess } from '../../support/node-process.ts'
import { OPTION } from '../../support/option.ts'
import { otlpReceiver, type Span } from '../../support/otlp-receiver.ts'
import { closedAfter, createGuest, request } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const PRICE = '/quantlib/pricing/bs/price'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

const receiver = closedAfter(await otlpReceiver())
const dataDir = temporaryFolder('tracing')
/** Writes a line to the output when the SDK is loaded; prom-client loads the API in any case. */
const WATCH = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  if (name.startsWith('@opentelemetry/sdk')) console.log('LOADED ' + name)
  return next(name, context)
} })`
const started = async (settings: Record<string, string>): Promise<NodeProcess> => {
  const node = await nodeProcess({
    dataDir,
    settings: { QUANTD_COMPUTE_THREADS: '1', ...settings },
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(WATCH)}`],
    onUnasked: (message) => assert.fail(message),
  })
  await node.start()
  return node
}
const loaded = () => readFileSync(join(dataDir, 'log'), 'utf8').includes('LOADED @opentelemetry/sdk')

const attributeOf = (span: Span, key: string) =>
  Object.values(span.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0]

describe('traces', () => {
  it('are off without settings, and nothing of the SDK is loaded', async () => {
    const node = await started({})
    await createGuest(node.url)
    assert.equal(await node.stop(), 0)
    assert.equal(loaded(), false)
  })

  it('are sent by the standard settings, and continue the trace of the client', async () => {
    const { paths, resources, settings, spans } = receiver
    const node = await started({ ...settings, QUANTD_TRUSTED_PROXIES: '127.0.0.1' })
    const url = node.url.replace('127.0.0.1', 'localhost')
    const key = await createGuest(url)
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'traced' }
    assert.equal((await request(url + PRICE, { key, body: OPTION, headers })).status, 200)
    const X = Array.from({ length: 20_000 }, (_, row) => [row % 17, row % 5])
    const behindTls = { 'x-request-id': 'by-tls', 'x-forwarded-proto': 'http, https' }
    assert.equal((await request(url + PRICE, { key, body: OPTION, headers: behindTls })).status, 200)
    const large = { key, body: { X }, headers: { traceparent: `00-${TRACE}-${PARENT}-01` } }
    assert.equal((await request(`${url}/quantlib/ml/preprocessing/outliers`, large)).status, 200)
    await request(url + PRICE, { body: OPTION, headers: { traceparent: `00-${TRACE}-${PARENT}-00` } })
    assert.equal((await request(url + PRICE, { body: OPTION })).status, 401)
    assert.equal(await node.stop(), 0)
    assert.equal(loaded(), true)
    await until(() => spans.some(({ name }) => name === 'compute'), 'the receiver has every span')

    const price = spans.find((span) => attributeOf(span, 'quantd.request_id') === 'traced')!
    assert.deepEqual(
      [price.name, price.kind, price.traceId, price.parentSpanId],
      [`POST ${PRICE}`, 2, TRACE, PARENT],
    )
    assert.deepEqual(
      ['http.route', 'http.response.status_code', 'quantd.credits'].map((name) =>
        String(attributeOf(price, name)),
      ),
      [PRICE, '200', '1'],
    )
    assert.deepEqual(
      ['url.path', 'url.scheme', 'server.address'].map((name) => attributeOf(price, name)),
      [PRICE, 'http', 'localhost'],
    )
    const secure = spans.find((span) => attributeOf(span, 'quantd.request_id') === 'by-tls')!
    assert.equal(attributeOf(secure, 'url.scheme'), 'https')
    const children = (parent: Span) =>
      spans.filter(({ parentSpanId, traceId }) => traceId === TRACE && parentSpanId === parent.spanId)
    assert.deepEqual(
      children(price).map(({ name }) => name),
      ['ledger admitAndSettle'],
    )
    const heavy = spans.find(({ name }) => name.endsWith('/outliers'))!
    assert.deepEqual(
      children(heavy)
        .map(({ name }) => name)
        .sort(),
      ['compute', 'ledger peek', 'ledger settle'],
    )
    // A thread asks for the admission once it has read the body.
    assert.deepEqual(
      children(children(heavy).find(({ name }) => name === 'compute')!).map(({ name }) => name),
      ['ledger admit'],
    )

    const refused = spans.filter((span) => attributeOf(span, 'error.type') === 'api_key_missing')
    assert.equal(refused.length, 1, 'a trace that the client does not sample is not sent')
    assert.notEqual(refused[0].traceId, TRACE)
    assert.equal(refused[0].status?.code ?? 0, 0)
    assert.match(resources[0], /"service.name","value":\{"stringValue":"quantd"\}/)
    assert.deepEqual([...new Set(paths)], ['/v1/traces'])
    // The start of the node waits for /readyz at its address, which is then that of the server.
    const ofClients = spans.filter(({ name }) => name !== 'GET /readyz')
    assert.doesNotMatch(JSON.stringify(ofClients), /qd_guest_|127\.0\.0\.1/)
  })

  it('that no collector takes slow neither replies nor the stop', async () => {
    const node = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    const key = await createGuest(node.url)
    assert.equal((await request(node.url + PRICE, { key, body: OPTION })).status, 200)
    assert.equal(await node.stop(), 0)
  })
})
