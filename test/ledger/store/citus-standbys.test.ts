/** Standbys on a Citus cluster: of a server that is lost with its disk, nothing is, and a frozen one delays no other account. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  addStandby,
  type CitusCluster,
  COORDINATOR,
  citusOnly,
  portsOfAccounts,
  type Standby,
  serverOf,
  startCitus,
  WORKERS,
} from '../../support/citus-cluster.ts'
import { startLoad } from '../../support/metered-load.ts'
import { insist } from '../../support/plain-sql.ts'
import { createDatabase } from '../../support/postgres.ts'
import { whileStopped } from '../../support/processes.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { NOTICED_MS, timeTaken } from '../../support/time-taken.ts'
import { until } from '../../support/until.ts'

const CALL = { path: '/quantlib/economics/utility/log', body: { wealth: 2 } }
const GUEST = { path: '/guest/create', body: { device_id: 'd', device_name: 'test', platform: 'node' } }
const PROFILE = '/user/profile'
const ACCOUNTS = 16
const CLIENTS = 64
/** The time limit within which the accounts of a replaced server are served again: 5 s on an idle machine. */
const BACK_MS = 20_000

describe('standbys', citusOnly, () => {
  let cluster: CitusCluster
  let standbys: { readonly coordinator: Standby; readonly worker: Standby }
  let nodes: TestService[]
  let keys: string[]
  before(async () => {
    // Its own: the other files use the servers that are lost here.
    cluster = await startCitus()
    const { folder } = cluster
    const url = new URL(await createDatabase(cluster.url))
    standbys = {
      coordinator: await addStandby(folder, COORDINATOR),
      worker: await addStandby(folder, WORKERS[0]),
    }
    const hosts = `${url.host},${url.hostname}:${standbys.coordinator.port}`
    const settings = { QUANTD_IP_LIMITS: 'off', DATABASE_URL: url.href.replace(url.host, hosts) }
    nodes = [await startTestService(settings), await startTestService(settings)]
    keys = []
    for (let i = 0; i < ACCOUNTS; i++) keys.push(await nodes[0].guest())
  })
  after(async () => {
    await Promise.all((nodes ?? []).map((node) => node.close()))
    cluster?.stop()
  })

  const query = <Row>(text: string) => insist<Row>(nodes[0].databaseUrl!, text)
  /** The keys of accounts on a worker. */
  const keysOn = async (name: string) => {
    const rows = await query<{ port: number }>(portsOfAccounts(ACCOUNTS))
    return keys.filter((_, index) => rows[index].port === serverOf(cluster.folder, name).port)
  }
  /** Waits until every account has been answered 200 on every node. */
  const allServed = (ask: (node: TestService, key: string) => Promise<{ readonly status: number }>) =>
    Promise.all(
      nodes.flatMap((node) =>
        keys.map((key) => until(async () => (await ask(node, key)).status === 200, 'the account is served')),
      ),
    )
  const called = (node: TestService, key: string) => node.callOnce(CALL.path, { key, body: CALL.body })
  const profile = (node: TestService, key: string) => node.callOnce(PROFILE, { key })
  const reachedProfile = (node: TestService, key: string) => node.call(PROFILE, { key })

  it('a worker that does not answer delays the account endpoints of other accounts little', async () => {
    const others = await keysOn(WORKERS[0])
    assert.ok(others.length > 0)
    const slowest = await whileStopped(serverOf(cluster.folder, WORKERS[1]).pid, async () => {
      let isOver = false
      // Every second account would be on that worker.
      const creating = Array.from({ length: ACCOUNTS }, async () => {
        while (!isOver) await nodes[0].callOnce(GUEST.path, { body: GUEST.body })
      })
      const times: number[] = []
      for (let round = 0; round < 10; round++) {
        const { ms, result } = await timeTaken(() => reachedProfile(nodes[0], others[round % others.length]))
        assert.equal(result.status, 200, result.text)
        times.push(ms)
      }
      isOver = true
      await Promise.all(creating)
      return Math.max(...times)
    })
    console.log(
      `measured: with a frozen worker, account endpoints of others took at most ${slowest.toFixed()} ms`,
    )
    assert.ok(slowest < NOTICED_MS, `${slowest} ms`)
    await allServed(called)
  })

  /** Replaces a server under load; milliseconds from the promotion of its standby until every account is served. */
  const replacedUnderLoad = async (
    standby: Standby,
    announce: () => Promise<unknown>,
    ask: (node: TestService, key: string) => Promise<{ readonly status: number }>,
  ): Promise<void> => {
    const load = await startLoad(nodes, ACCOUNTS, CLIENTS)
    let back: number
    try {
      await load.succeedsAgain()
      await standby.replace()
      const { ms } = await timeTaken(async () => {
        await announce()
        await allServed(ask)
      })
      back = ms
      await load.succeedsAgain()
    } finally {
      await load.end()
    }
    await load.check()
    const { charged, refused } = load.counts()
    console.log(`measured: back after ${back.toFixed()} ms, ${charged} acknowledged, ${refused} refused`)
    assert.ok(back < BACK_MS, `back after ${back} ms`)
  }

  it('a worker that is lost with its disk: no acknowledged call is lost, charged twice or free, and its accounts are back soon after the promotion', async () => {
    const { port } = serverOf(cluster.folder, WORKERS[0])
    await replacedUnderLoad(
      standbys.worker,
      () =>
        query(`SELECT citus_update_node(nodeid, '127.0.0.1', ${standbys.worker.port}, force => true, lock_cooldown => 1000)
          FROM pg_dist_node WHERE nodeport = ${port}`),
      called,
    )
  })

  it('a coordinator that is lost with its disk: the same, with both hosts in DATABASE_URL', () =>
    replacedUnderLoad(
      standbys.coordinator,
      () => query(`SELECT citus_set_coordinator_host('127.0.0.1', ${standbys.coordinator.port})`),
      profile,
    ))
})
