/** A connection that breaks while its call is computed: the call is charged, and its key returns the result. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { it } from 'node:test'
import { number } from '../support/database.ts'
import { useService } from '../support/people.ts'
import { until } from '../support/until.ts'

const PATH = '/quantlib/ml/clustering/isolation-forest'
const X = Array.from({ length: 2_000 }, (_, row) => [Math.sin(row), Math.cos(row)])
const BODY = JSON.stringify({ X, n_trees: 200 })

const service = await useService()

it('a call whose client has gone is computed and charged, once with its key', async () => {
  const key = await service.guest()
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`
  await new Promise<void>((sent) => socket.write(head + BODY, () => sent()))
  socket.destroy()
  const charged = () => number(service, 'SELECT sum(credits) FROM audit')
  await until(async () => (await charged()) > 0, 'the call is charged')
  const credits = await charged()
  const again = await service.call(PATH, { key, raw: BODY, headers: { 'idempotency-key': 'k' } })
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'])
  assert.equal(await charged(), credits)
})
