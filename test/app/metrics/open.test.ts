/** The metrics that a monitoring system reads. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openMetrics } from '../../../src/app/metrics/open-metrics.ts'

const reply = (status: number, more = {}) => ({ status, code: null, charged: 0, replayed: false, ...more })

/** The lines of a metric, sorted. */
const linesOf = (text: string, name: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .sort()

describe('the metrics', () => {
  it('count requests by route, method and status, each once however often they are read', async () => {
    const metrics = openMetrics('1.2.3')
    const got = metrics.route('/a', 'GET')
    const posted = metrics.route('/a', 'POST')
    for (const status of [200, 200, 404]) got.replied(reply(status), 1)
    posted.replied(reply(200), 1)
    metrics.unrouted(reply(404, { code: 'route_not_found' }))
    await metrics.text()
    assert.deepEqual(linesOf(await metrics.text(), 'quantd_http_requests_total'), [
      'quantd_http_requests_total{method="GET",route="/a",status="200"} 2',
      'quantd_http_requests_total{method="GET",route="/a",status="404"} 1',
      'quantd_http_requests_total{method="POST",route="/a",status="200"} 1',
      'quantd_http_requests_total{method="other",route="other",status="404"} 1',
    ])
  })

  it('state how many replies took no longer than each bound, their number and their total time', async () => {
    const metrics = openMetrics('1.2.3')
    const route = metrics.route('/b', 'POST')
    metrics.route('/never-called', 'GET')
    for (const durationMs of [0.5, 1, 1.5, 250, 31_000]) route.replied(reply(200), durationMs)
    const text = await metrics.text()
    assert.match(text, /^# TYPE quantd_http_request_duration_seconds histogram$/m)
    assert.doesNotMatch(text, /never-called/)
    const found = (suffix: string, bound?: string) =>
      Number(
        linesOf(text, `quantd_http_request_duration_seconds_${suffix}`)
          .find((line) => bound === undefined || line.includes(`le="${bound}"`))
          ?.split(' ')
          .at(-1),
      )
    const within = (bound: string) => found('bucket', bound)
    assert.deepEqual(['0.001', '0.002', '0.1', '0.25', '30', '+Inf'].map(within), [2, 3, 3, 4, 4, 5])
    assert.equal(found('count'), 5)
    assert.ok(Math.abs(found('sum') - 31.253) < 1e-9)
  })

  it('count requests in flight, credits, replays, and failures by code', async () => {
    const metrics = openMetrics('1.2.3')
    const route = metrics.route('/c', 'POST')
    for (let i = 0; i < 4; i++) route.begun()
    route.replied(reply(200, { charged: 3 }), 1)
    route.replied(reply(200, { replayed: true }), 1)
    route.replied(reply(401, { code: 'api_key_invalid' }), 1)
    const text = await metrics.text()
    const line = (name: string) => linesOf(text, name).join()
    assert.equal(line('quantd_http_requests_in_flight'), 'quantd_http_requests_in_flight 1')
    assert.equal(line('quantd_credits_charged_total'), 'quantd_credits_charged_total{route="/c"} 3')
    assert.equal(line('quantd_idempotent_replays_total'), 'quantd_idempotent_replays_total 1')
    assert.equal(line('quantd_failures_total'), 'quantd_failures_total{code="api_key_invalid"} 1')
    assert.equal(
      line('quantd_authentication_failures_total'),
      'quantd_authentication_failures_total{code="api_key_invalid"} 1',
    )
  })
})
