/** Moves between one PostgreSQL and a Citus cluster: with nodes that are stopped, and under load. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { checkpointLines } from '../../../src/ledger/receipts/checkpoint.ts'
import { checkAudit } from '../../../src/ledger/receipts/verify-audit.ts'
import { readPostgres } from '../../../src/ledger/store/postgres/reader.ts'
import { openSqlite, readSqlite } from '../../../src/ledger/store/sqlite/open.ts'
import { createAccount } from '../../../src/operators/account-changes.ts'
import { checkLedger } from '../../../src/operators/ledger-check.ts'
import { asAdmin } from '../../support/as-admin.ts'
import { COORDINATOR, citusOnly, serverOf } from '../../support/citus-cluster.ts'
import { startLoad } from '../../support/metered-load.ts'
import { newAccount } from '../../support/new-account.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { createDatabase } from '../../support/postgres.ts'
import { writeAudit } from '../../support/proven-audit.ts'
import {
  closedAfter,
  definite,
  startTestService,
  TEST_MASTER_KEY,
  type TestService,
} from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { runEveryVerb } from './every-verb.ts'

const PATH = '/quantlib/economics/utility/log'
const BODY = { wealth: 2 }
const SCRIPT = join(import.meta.dirname, '../../../deploy/move-database.sh')
const CLIENTS = 16
const FILLED = ['approvals', 'plans', 'operator_tokens', 'lots', 'team_keys', 'audit_groups', 'audit_salts']
const folder = process.env.QUANTD_TEST_CITUS

describe('moves to Citus and back', citusOnly, () => {
  const onCluster = process.env.QUANTD_TEST_POSTGRES_URL!
  // The coordinator's own maintenance database has no Citus.
  const onPlain = onCluster.replace(/\/\w+$/, '/postgres')
  let dataDir: string
  before(() => {
    dataDir = temporaryFolder('move')
  })
  const query = (sql: string, url: string) => asAdmin(url, (admin) => admin.query(sql))
  const verified = async (databaseUrl: string) => {
    const { code, err, json } = await operator(settingsOf({ dataDir, databaseUrl }))([
      ...['admin', 'verify-ledger', '--json'],
    ])
    assert.equal(code, 0, err)
    return json
  }

  const move = async (from: string, to: string): Promise<string> => {
    const { bin } = serverOf(folder!, COORDINATOR)
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
    return (await promisify(execFile)(SCRIPT, [from, to], { env })).stdout
  }
  /** Against the checkpoints that another database exported. */
  const proven = async (databaseUrl: string, from: string): Promise<void> => {
    const [own, other] = await Promise.all([databaseUrl, from].map((url) => readPostgres(url)))
    try {
      const lines = await other.run(checkpointLines, 0, 1_000)
      const exported = lines.map(({ line }) => line)
      const { faults, rows } = await own.run(checkAudit, { exported, keys: null })
      assert.deepEqual(faults, [])
      assert.ok(rows > 0)
    } finally {
      await Promise.all([own.close(), other.close()])
    }
  }
  /** The check of a ledger, which also works on a database that refuses writes. */
  const checked = async (databaseUrl: string) => {
    const reads = await readPostgres(databaseUrl)
    try {
      return await reads.run(checkLedger, null)
    } finally {
      await reads.close()
    }
  }

  const checkedFile = async (file: string) => {
    const reads = readSqlite(file)
    try {
      return await reads.run(checkLedger, null)
    } finally {
      await reads.close()
    }
  }

  /** The rows of every table, as text, but those of which migrations were run, and the addresses that a cluster has twice. */
  const rowsOf = async (databaseUrl: string): Promise<Record<string, string[]>> =>
    await asAdmin(databaseUrl, async (admin) => {
      const tables = await admin.query(`SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
          AND relname NOT IN ('addresses', 'migrations') ORDER BY 1`)
      const found: Record<string, string[]> = {}
      for (const { name } of tables.rows)
        found[name] = (await admin.query(`SELECT t::text AS row FROM ${name} AS t`)).rows
          .map(({ row }) => row)
          .sort()
      return found
    })

  it('pg_dump and verify-ledger move a plain database, with the same ledger and its old keys, which a rotation keeps', async () => {
    const old = await createDatabase(onPlain, { isEmpty: true })
    const url = await createDatabase(onCluster, { isEmpty: true })
    const plain = await startTestService({ DATABASE_URL: old, QUANTD_IP_LIMITS: 'off' })
    const olds = [await plain.guest(), await plain.guest(), await plain.guest()]
    for (const key of olds)
      assert.equal((await definite(() => plain.call(PATH, { key, body: BODY }))).status, 200)
    assert.notEqual(await plain.store.run(createAccount, newAccount('kept@example.org')), null)
    await plain.close()
    const before = await verified(old)
    assert.equal(before.accounts, 4)
    const { bin } = serverOf(folder!, COORDINATOR)
    const move = `${bin}/pg_dump --no-owner '${old}' | ${bin}/psql --single-transaction --set ON_ERROR_STOP=1 '${url}'`
    execFileSync('bash', ['-o', 'pipefail', '-c', move], { stdio: ['ignore', 'ignore', 'inherit'] })
    assert.deepEqual(await verified(url), before)
    await proven(url, old)
    const distributed = await startTestService({ DATABASE_URL: url, QUANTD_IP_LIMITS: 'off' })
    try {
      assert.equal(distributed.store.isByDay, false)
      for (const key of [...olds, await distributed.guest()])
        assert.equal((await definite(() => distributed.call(PATH, { key, body: BODY }))).status, 200)
      assert.equal(await distributed.store.run(createAccount, newAccount('kept@example.org')), null)
    } finally {
      await distributed.close()
    }
    await proven(url, old)
    await query("DELETE FROM migrations WHERE name = '006-since-0.1.0'", url)
    await assert.rejects(startTestService({ DATABASE_URL: url }), /were distributed by an earlier version/)
    await query("INSERT INTO migrations (name) VALUES ('006-since-0.1.0')", url)
    // Its key is sealed under no master key.
    await query("DELETE FROM api_keys WHERE master_key_id = 'm'", url)
    // A rotation of the master key changes the hashes by which keys are found.
    const fresh = randomBytes(32).toString('base64')
    const file = join(dataDir, 'keys')
    writeFileSync(file, `${fresh}\n${TEST_MASTER_KEY}\n`, { mode: 0o600 })
    const rotated = await operator({
      QUANTD_DATA_DIR: dataDir,
      QUANTD_MASTER_KEY_FILE: file,
      DATABASE_URL: url,
    })(['admin', 'rotate-master-key', '--settle', '0', '--json'])
    assert.equal(rotated.code, 0, rotated.err)
    const later = closedAfter(
      await startTestService({
        DATABASE_URL: url,
        QUANTD_IP_LIMITS: 'off',
        QUANTD_MASTER_KEY: fresh,
      }),
    )
    for (const key of olds)
      assert.equal((await definite(() => later.call(PATH, { key, body: BODY }))).status, 200)
  })

  it('quantd move brings a SQLite database to a cluster, and distributes its tables with the rows', async () => {
    const source = { dataDir: mkdtempSync(join(dataDir, 'sqlite-')), databaseUrl: null }
    const file = join(source.dataDir, 'quantd.db')
    const store = openSqlite({ file })
    const reads = readSqlite(file)
    await runEveryVerb(store, reads).finally(() => reads.close())
    await store.close()
    await writeAudit(file, 2_000, 7)
    const place = { ...source, databaseUrl: await createDatabase(onCluster, { isEmpty: true }) }
    const { code, err, json } = await operator(settingsOf(place))(['move', '--accept-faults', '--json'])
    assert.equal(code, 0, err)
    assert.ok(json.audit.rows > 0 && json.ledger.accounts > 0)
    const former = await checkedFile(file)
    assert.deepEqual(await checked(place.databaseUrl), former)
    const again = await operator(settingsOf(place))(['move', '--accept-faults'])
    assert.match(again.err, /is in use: its table accounts has rows/)
    const node = closedAfter(
      await startTestService({ QUANTD_IP_LIMITS: 'off', DATABASE_URL: place.databaseUrl }),
    )
    assert.equal(node.store.isByDay, false)
    const key = await node.guest()
    assert.equal((await definite(() => node.call(PATH, { key, body: BODY }))).status, 200)
  })

  for (const [what, from, to] of [
    ['to Citus', onPlain, onCluster],
    ['back to one PostgreSQL', onCluster, onPlain],
  ] as const)
    it(`under load ${what}: no acknowledged call is lost, charged twice or free`, async () => {
      const [fromUrl, toUrl] = [from, to].map((url) => createDatabase(url, { isEmpty: true }))
      const settings = { QUANTD_IP_LIMITS: 'off', DATABASE_URL: await fromUrl }
      const former = await startTestService(settings)
      const reads = await readPostgres(await fromUrl)
      // So that most tables have rows. Before the load: the first key must be that of the guest which a verb creates.
      await runEveryVerb(former.store, reads).finally(() => reads.close())
      assert.notEqual(await former.store.run(createAccount, newAccount(`${what.length}@example.org`)), null)
      await verified(await toUrl)
      const load = await startLoad([former], CLIENTS, CLIENTS)
      let present: TestService | null = null
      try {
        await load.succeedsAgain()
        // The nodes go on with the former database where the move fails.
        await query('ALTER TABLE lots RENAME TO away', await toUrl)
        await assert.rejects(move(await fromUrl, await toUrl), /write to the former database again/)
        await query('ALTER TABLE away RENAME TO lots', await toUrl)
        await query('TRUNCATE audit, audit_groups', await toUrl)
        await load.succeedsAgain()
        const stdout = await move(await fromUrl, await toUrl)
        console.log(`measured: ${what}: ${stdout.trim().split('\n').at(-1)}`)
        assert.deepEqual(await checked(await toUrl), await checked(await fromUrl))
        const moved = await rowsOf(await fromUrl)
        for (const table of FILLED) assert.ok(moved[table].length > 0, `${table} has rows`)
        assert.deepEqual(await rowsOf(await toUrl), moved)
        await proven(await toUrl, await fromUrl)
        await load.end()
        // A call of unknown outcome is in the journal of its node, which refunds it in the new database.
        cpSync(former.dataDir, join(dataDir, what), { recursive: true })
        const node = await startTestService({
          ...settings,
          QUANTD_DATA_DIR: join(dataDir, what),
          DATABASE_URL: await toUrl,
        })
        present = node
        assert.equal(node.store.isByDay, to === onPlain)
        const key = await node.guest()
        assert.equal((await definite(() => node.callOnce(PATH, { key, body: BODY }))).status, 200)
        await load.check(new Set(), node)
      } finally {
        await load.end()
        await former.close()
        await present?.close()
      }
      await proven(await toUrl, await fromUrl)
    })
})
