/** The listeners of the metrics and for operators. */
import assert from 'node:assert/strict'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '../../../src/app/config/read-config.ts'
import { listenForMetrics } from '../../../src/app/main/listeners.ts'
import { freePort } from '../../support/free-port.ts'
import { startTestService } from '../../support/service.ts'

test('without METRICS_PORT the metrics leave their port to the calls if PORT names it', async () => {
  const port = await freePort()
  const config = { ...readConfig({}), port, metricsPort: port }
  const warnings: unknown[] = []
  const server = await listenForMetrics(config, async () => '', {
    warn: (fields: unknown) => warnings.push(fields),
  })
  const taken = (server!.address() as AddressInfo).port
  assert.notEqual(taken, port)
  assert.deepEqual(warnings, [{ host: '127.0.0.1', port: taken }])
  server!.close()
})

/** @param host of the Host header */
function statusFor(port: number, path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    }).on('error', reject)
  })
}

const OWN = ['localhost', '127.0.0.1', '[::1]:9464', 'LOCALHOST:1']
const REBOUND = ['evil.example', 'evil.example:9464', 'localhost.evil.example', '127.0.0.1.evil.example']

test('the metrics without a token cannot be read under a name that was pointed to this machine', async () => {
  const config = { ...readConfig({}), metricsPort: await freePort(), metricsPortGiven: true }
  const server = await listenForMetrics(config, async () => 'calls 1\n', { warn: () => undefined })
  for (const host of OWN) assert.equal(await statusFor(config.metricsPort, '/metrics', host), 200, host)
  for (const host of REBOUND) assert.equal(await statusFor(config.metricsPort, '/metrics', host), 421, host)
  server!.close()
})

test('the listener for operators answers to this machine and to the origins of its proxies', async () => {
  const port = await freePort()
  const service = await startTestService({
    QUANTD_OPERATOR_PORT: String(port),
    QUANTD_OPERATOR_ORIGIN: 'https://ops.example.org',
  })
  for (const host of [...OWN, 'ops.example.org', 'ops.example.org:443'])
    assert.equal(await statusFor(port, '/operator/v1/openapi.json', host), 200, host)
  for (const host of REBOUND)
    assert.equal(await statusFor(port, '/operator/v1/openapi.json', host), 421, host)
  await service.close()
})
