/** The metrics that a monitoring system reads. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openMetrics } from '../src/metrics.ts'

describe('the metrics', () => {
  it('count replies by path, method and status, each once however often they are read', async () => {
    const metrics = openMetrics()
    const got = metrics.replies('/a', 'GET')
    const posted = metrics.replies('/a', 'POST')
    got(200, 1)
    got(200, 1)
    got(404, 1)
    posted(200, 1)
    await metrics.text()
    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('quantd_replies_total'))
    assert.deepEqual(lines.sort(), [
      'quantd_replies_total{path="/a",method="GET",status="200"} 2',
      'quantd_replies_total{path="/a",method="GET",status="404"} 1',
      'quantd_replies_total{path="/a",method="POST",status="200"} 1',
    ])
  })

  it('state how many replies took no longer than each bound, their number and their total time', async () => {
    const metrics = openMetrics()
    const reply = metrics.replies('/b', 'POST')
    metrics.replies('/never-called', 'GET')
    for (const durationMs of [0.5, 1, 1.5, 250, 31_000]) reply(200, durationMs)
    const text = await metrics.text()
    assert.match(text, /^# TYPE quantd_reply_seconds histogram$/m)
    assert.doesNotMatch(text, /never-called/)
    const found = (name: string, bound?: string) =>
      Number(
        text
          .split('\n')
          .find(
            (line) => line.startsWith(`${name}{`) && (bound === undefined || line.includes(`le="${bound}"`)),
          )
          ?.split(' ')
          .at(-1),
      )
    const within = (bound: string) => found('quantd_reply_seconds_bucket', bound)
    assert.deepEqual(['0.001', '0.002', '0.1', '0.25', '30', '+Inf'].map(within), [2, 3, 3, 4, 4, 5])
    assert.equal(found('quantd_reply_seconds_count'), 5)
    assert.ok(Math.abs(found('quantd_reply_seconds_sum') - 31.253) < 1e-9)
  })

  it('describe the process itself', async () => {
    assert.match(await openMetrics().text(), /^process_cpu_seconds_total \d/m)
  })
})
