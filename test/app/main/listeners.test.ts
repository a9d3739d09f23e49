/** The listener of the metrics. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '../../../src/app/config/read-config.ts'
import { listenForMetrics } from '../../../src/app/main/listeners.ts'
import { freePort } from '../../support/free-port.ts'

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
