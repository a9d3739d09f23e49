/** Workers of a Citus cluster that are killed under load: every acknowledged call is charged once, and no other is. */
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverOf, WORKERS } from '../support/citus-cluster.ts'
import { startLoad } from '../support/metered-load.ts'
import { startTestService, type TestService } from '../support/service.ts'

const CLIENTS = 24
const KILLS = 4
const folder = process.env.QUANTD_TEST_CITUS

describe('workers that are killed under load', { skip: folder === undefined ? 'Citus only' : false }, () => {
  let nodes: TestService[]
  before(async () => {
    const first = await startTestService({ QUANTD_IP_LIMITS: 'off' })
    const second = await startTestService({ QUANTD_IP_LIMITS: 'off', DATABASE_URL: first.databaseUrl! })
    nodes = [first, second]
  })
  after(() => Promise.all(nodes.map((node) => node.close())))

  it('lose no acknowledged debit, charge no call twice, and give none for free', async () => {
    const load = await startLoad(nodes, CLIENTS, CLIENTS)
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        await load.succeedsAgain()
        const worker = serverOf(folder!, WORKERS[kill % 2])
        worker.kill9()
        await sleep(300)
        await worker.start()
      }
      await load.succeedsAgain()
    } finally {
      await load.end()
    }
    await load.check()
    const { charged, refused } = load.counts()
    console.log(`measured: ${charged} acknowledged, ${refused} refused, ${KILLS} kills`)
  })
})
