/** Nodes are killed while they send events: each event is written together with its cause and arrives in order. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../../support/database.ts'
import { httpPeer } from '../../support/http-peer.ts'
import { type NodeProcess, nodeProcess } from '../../support/node-process.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { testDatabase } from '../../support/postgres.ts'
import { request } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const ACCOUNTS = 12
const KEYS_EACH = 12
/**
 * The numbers of the messages after which the node is killed, before it gets the reply. Its deliveries can be claimed again when
 * their lease ends, after a minute.
 */
const KILLS_AT = [20, 60, 100]
const RETRY_MS = 200

const dataDir = temporaryFolder('killed-webhooks')
const databaseUrl = await testDatabase()
const database = { dataDir, databaseUrl }
const settings = { ...settingsOf(database), QUANTD_WEBHOOK_PRIVATE: 'on' }
const quantd = operator(settings)

const nodes: NodeProcess[] = []
for (let number = 0; number < (databaseUrl === null ? 1 : 2); number++) {
  const own = number === 0 ? dataDir : join(dataDir, `other-${number}`)
  nodes.push(
    await nodeProcess({
      dataDir: own,
      settings: { ...settings, QUANTD_DATA_DIR: own, QUANTD_IP_LIMITS: 'off', LOG_LEVEL: 'error' },
      onUnasked: (message) => assert.fail(message),
    }),
  )
}

/** The received messages, in the order of their arrival. */
const received: { readonly id: string; readonly accountId: number }[] = []
let kills = Promise.resolve()
const receiver = await httpPeer(async (response, { body, headers }, count) => {
  const { data } = JSON.parse(body)
  received.push({ id: String(headers['webhook-id']), accountId: data.account_id })
  const kill = KILLS_AT.indexOf(count)
  if (kill >= 0) {
    // Of two nodes, either may have sent the message: with the second kill each has died once.
    const node = nodes[kill % nodes.length]
    kills = kills.then(() => node.kill9()).then(() => node.start())
    await kills
  }
  response.end()
})

after(async () => {
  receiver.close()
  for (const node of nodes) await node.stop()
})

/** Creates and revokes keys. A request whose reply is lost with its node is not repeated, so its key may exist or not. */
async function work(key: string, number: number): Promise<void> {
  const call = async (path: string, body: object) => {
    const { url } = nodes[number % nodes.length]
    const answer = await request(`${url}/user/keys/${path}`, { key, body }).catch(() => null)
    if (answer?.status === 200) return answer.body.data
    await sleep(RETRY_MS)
    return null
  }
  for (let made = 0; made < KEYS_EACH; ) {
    const created = await call('create', { name: `key ${made}` })
    if (created === null) continue
    made += 1
    while ((await call('revoke', { id: created.id })) === null);
  }
}

it('loses no event of killed nodes, and sends them in the order of each account', async () => {
  for (const node of nodes) await node.start()
  assert.equal((await quantd(['admin', 'webhook', 'create', receiver.url])).code, 0)
  const keys: string[] = []
  for (let number = 0; number < ACCOUNTS; number++) {
    const { err, json } = await quantd(['admin', 'create', `a-${number}@example.org`, '--json'])
    assert.ok(json !== null, err)
    keys.push(json.api_key)
  }
  await Promise.all(keys.map(work))
  const waiting = 'SELECT 1 FROM webhook_deliveries WHERE delivered_at IS NULL'
  const unqueued = 'SELECT 1 FROM webhook_events WHERE queued_at IS NULL'
  await until(
    async () => (await query(database, `${waiting} UNION ALL ${unqueued}`)).length === 0,
    'all events were delivered',
  )
  await kills
  assert.ok(received.length >= KILLS_AT.at(-1)!)

  const written = (
    await query(database, 'SELECT id, at, account_id, type, data FROM webhook_events ORDER BY id')
  ).map(({ account_id, at, data, id, type }) => ({
    id: `evt_${id}_${at}`,
    accountId: Number(account_id),
    type,
    key: JSON.parse(String(data)).key_id as number | undefined,
  }))
  const lineages = await query(
    database,
    `SELECT t.id, k.status FROM team_keys t JOIN api_keys k ON k.team_key_id = t.id AND k.account_id = t.account_id ORDER BY t.id`,
  )
  const ofType = (type: string) =>
    written
      .filter((event) => event.type === type)
      .map(({ key }) => key!)
      .toSorted((a, b) => a - b)
  const ids = (status: string[]) =>
    lineages.filter((row) => status.includes(String(row.status))).map(({ id }) => Number(id))
  assert.deepEqual(ofType('key.created'), ids(['active', 'revoked']), 'an event for each key, and no other')
  assert.deepEqual(ofType('key.revoked'), ids(['revoked']))
  for (const accountId of new Set(written.map((event) => event.accountId))) {
    const of = (messages: readonly { id: string; accountId: number }[]) =>
      messages.filter((one) => one.accountId === accountId).map(({ id }) => id)
    // A message may be sent again while its reply was lost, before any later one.
    const sent = of(received).filter((id, index, all) => id !== all[index - 1])
    assert.deepEqual(sent, of(written), `account ${accountId}`)
  }
  console.log(
    `measured: ${written.length} events, ${KILLS_AT.length} kills of ${nodes.length} nodes, ${received.length} messages`,
  )
})
