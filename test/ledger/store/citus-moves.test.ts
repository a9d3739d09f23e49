/** Shards of a Citus cluster that move under load: every acknowledged call is charged once, and no other is. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { refundCalls } from '../../../src/ledger/metering/refunds.ts'
import { readPostgres } from '../../../src/ledger/store/postgres/reader.ts'
import type { Transaction } from '../../../src/ledger/store/sql.ts'
import { NotCommitted, OutcomeUnknown } from '../../../src/ledger/store/store.ts'
import { grantCredits } from '../../../src/operators/grants.ts'
import { asAdmin } from '../../support/as-admin.ts'
import { addWorker, citusOnly, serverOf, WORKERS } from '../../support/citus-cluster.ts'
import { type MeteredLoad, startLoad } from '../../support/metered-load.ts'
import { operatorEvent } from '../../support/new-account.ts'
import { insist } from '../../support/plain-sql.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { timeTaken } from '../../support/time-taken.ts'
import { until } from '../../support/until.ts'

const ACCOUNTS = 16
const CLIENTS = 128
const MOVES = Number(process.env.QUANTD_TEST_MOVES ?? 20)
const REFUSED_AFTER_MS = 2_000
const folder = process.env.QUANTD_TEST_CITUS

interface Place {
  readonly shard: string
  readonly host: string
  readonly port: number
}

describe('shards that move under load', citusOnly, () => {
  let nodes: TestService[]
  before(async () => {
    const first = await startTestService({ QUANTD_IP_LIMITS: 'off' })
    const second = await startTestService({ QUANTD_IP_LIMITS: 'off', DATABASE_URL: first.databaseUrl! })
    nodes = [first, second]
  })
  after(() => Promise.all(nodes.map((node) => node.close())))
  /** Runs a query on a new connection: an older one has connections of the coordinator to workers that were killed. */
  const query = async (text: string) =>
    (await asAdmin(nodes[0].databaseUrl!, (admin) => admin.query(text))).rows

  const places = async (): Promise<Place[]> =>
    await query(
      `SELECT shardid AS shard, nodename AS host, nodeport AS port FROM pg_dist_shard
         JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
         WHERE logicalrelid = 'accounts'::regclass ORDER BY shardid`,
    )
  const workers = WORKERS.map((name) => folder && serverOf(folder, name))
  /** Moves a shard of all tables of accounts to the other worker. */
  const move = async (number: number, mode: string): Promise<void> => {
    const all = await places()
    const { host, port, shard } = all[number % all.length]
    const target = workers.find((worker) => worker && worker.port !== port)
    assert.ok(target)
    await query(
      `SELECT citus_move_shard_placement(${shard}, '${host}', ${port}, '${host}', ${target.port}, '${mode}')`,
    )
  }

  it('a read of several statements finds every row, though a shard moves between them', async () => {
    for (let i = 0; i < ACCOUNTS; i++) await nodes[0].guest()
    const reads = await readPostgres(nodes[0].databaseUrl!)
    await asAdmin(nodes[0].databaseUrl!, async (admin) => {
      await admin.query('SELECT pg_advisory_lock(1)')
      const reading = reads.run(countTwice)
      const waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 1 AND NOT granted"
      await until(async () => (await query(waits)).length > 0, 'the read waits between its statements')
      await move(0, 'block_writes')
      await admin.query('SELECT pg_advisory_unlock(1)')
      assert.deepEqual(await reading, [ACCOUNTS, ACCOUNTS])
    })
    await reads.close()
  })

  /** Checks the ledger after the work, during which clients call, and operators grant and refund. */
  const underLoad = async (work: (load: MeteredLoad) => Promise<string>): Promise<void> => {
    const load = await startLoad(nodes, ACCOUNTS, CLIENTS)
    // Guests get no grants.
    await load.sql.query(`UPDATE accounts SET tier = 'free' WHERE id IN (${load.accountIds})`)
    const others = otherWriters(nodes, load)
    let told = ''
    try {
      await load.succeedsAgain()
      told = await work(load)
      await load.succeedsAgain()
    } finally {
      await Promise.all([load.end(), others.end()])
    }
    await load.check(others.refunded)
    const { charged, refused } = load.counts()
    console.log(
      `measured: ${told}, ${charged} acknowledged, ${refused} refused, ${others.refunded.size} refunds`,
    )
  }

  for (const mode of ['force_logical', 'block_writes', 'auto'])
    it(`${MOVES} moves in the mode ${mode} lose no debit, charge none twice, and refuse calls only meanwhile`, async () => {
      let [longest, excess] = [0, 0]
      await underLoad(async (load) => {
        for (let number = 0; number < MOVES; number++) {
          load.longestRefusal()
          const { ms } = await timeTaken(() => move(number, mode))
          await load.succeedsAgain()
          const refusedMs = load.longestRefusal()
          longest = Math.max(longest, refusedMs)
          // Citus holds the shard for part of a move, in one mode for all of it: on a busy machine for seconds.
          excess = Math.max(excess, refusedMs - ms)
        }
        return `${mode}: ${MOVES} moves, refused for at most ${longest.toFixed()} ms`
      })
      assert.ok(excess <= REFUSED_AFTER_MS, `an account was refused for ${excess} ms after a move`)
    })

  it('moves that are interrupted by a killed worker do neither', () =>
    underLoad(async (load) => {
      let interrupted = 0
      for (let number = 0; number < Math.max(2, MOVES / 4); number++) {
        const moving = move(number, number % 2 === 0 ? 'force_logical' : 'block_writes').catch(() => {
          interrupted += 1
        })
        await sleep(200 + 150 * (number % 8))
        const worker = serverOf(folder!, WORKERS[number % 3 === 0 ? 0 : 1])
        worker.kill9()
        await worker.start()
        await moving
        await load.succeedsAgain()
      }
      return `${interrupted} moves interrupted`
    }))

  it('a worker that is added, filled by a rebalance and drained again does neither', () =>
    underLoad(async (load) => {
      const url = nodes[0].databaseUrl!
      const worker = await addWorker(folder!, url)
      try {
        await insist(url, `SELECT citus_add_node('127.0.0.1', ${worker.port})`)
        await insist(url, "SELECT rebalance_table_shards('accounts', shard_transfer_mode => 'auto')")
        const held = (await places()).filter(({ port }) => port === worker.port).length
        assert.ok(held > 0, 'the new worker holds shards')
        await load.succeedsAgain()
        await insist(url, `SELECT citus_drain_node('127.0.0.1', ${worker.port}, 'force_logical')`)
        assert.equal((await places()).filter(({ port }) => port === worker.port).length, 0)
        await load.succeedsAgain()
        await query('CALL citus_cleanup_orphaned_resources()')
        await query(`SELECT citus_remove_node('127.0.0.1', ${worker.port})`)
        return `${held} shards on the added worker`
      } finally {
        worker.stop()
      }
    }))
})

function* countTwice(): Transaction<number[]> {
  const count = { sql: 'SELECT count(*) AS rows FROM accounts', parameters: [] }
  // A further connection would have a later snapshot.
  yield { sql: 'SET LOCAL citus.max_adaptive_executor_pool_size TO 1', parameters: [] }
  const [before] = yield count
  yield { sql: 'SELECT pg_advisory_xact_lock_shared(1)', parameters: [] }
  const [after] = yield count
  return [Number(before.rows), Number(after.rows)]
}

/** Grants, and refunds of calls that were answered, to all accounts by way of the coordinator. */
function otherWriters(nodes: readonly TestService[], { accountIds, sql }: MeteredLoad) {
  const refunded = new Set<string>()
  let isOver = false
  const write = async (number: number) => {
    const { store } = nodes[number % nodes.length]
    const accountId = accountIds[number % accountIds.length]
    const event = operatorEvent(`grant-${accountId}-${number}-${performance.now()}`)
    await store.run(grantCredits, {
      accountId,
      credits: 3,
      note: 'n',
      reference: event.auditId,
      expiresAt: null,
      event,
    })
    const newest = 'SELECT id FROM audit WHERE account_id = $1 AND credits > 0 ORDER BY at DESC LIMIT 1'
    // While the account's worker is down there is no call to refund.
    const [call] = await sql.query<{ id: string }>(newest, [accountId]).catch(() => [])
    if (call === undefined) return
    refunded.add(call.id)
    await refundCalls(store, [{ auditId: call.id, accountId }])
  }
  const running = (async () => {
    for (let number = 0; !isOver; number++)
      await write(number).catch((error) => {
        if (!(error instanceof NotCommitted || error instanceof OutcomeUnknown)) throw error
      })
  })()
  return {
    refunded: refunded as ReadonlySet<string>,
    async end(): Promise<void> {
      isOver = true
      await running
    },
  }
}
