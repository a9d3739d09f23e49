/** Connections to PostgreSQL end when they cannot be used: each would count against the server's limit. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseError, type Pool } from 'pg'
import { metMove } from '../../../src/ledger/store/postgres/citus/cluster.ts'
import { pipelined, pooled } from '../../../src/ledger/store/postgres/connection.ts'
import { send } from '../../../src/ledger/store/postgres/pipeline.ts'
import { runnerOn } from '../../../src/ledger/store/postgres/run.ts'
import type { Transaction } from '../../../src/ledger/store/sql.ts'
import { NotCommitted } from '../../../src/ledger/store/store.ts'
import { asAdmin } from '../../support/as-admin.ts'
import { postgresSql } from '../../support/plain-sql.ts'
import { createDatabase } from '../../support/postgres.ts'
import { closedAfter } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? false : 'PostgreSQL only'
const SETTINGS = ['client_min_messages', 'synchronous_commit', 'array_nulls', 'jit', 'work_mem']
const OPEN = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'quantd'`

describe('a connection to PostgreSQL', { skip }, () => {
  it('that was closed does not connect again', async () => {
    const url = await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!)
    const connection = pipelined(url)
    await connection.client()
    await connection.close()
    await assert.rejects(connection.client(), NotCommitted)
    await noneIsOpen(url)
  })

  it('answers the statements of a packet up to one that fails, and those of the next packet', async () => {
    const connection = closedAfter(pipelined(await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!)))
    const client = await connection.client()
    const inverse = (of: string) => ({
      name: 'inverse',
      text: 'SELECT 6 / ($1::int[])[1] AS x',
      values: [of],
    })
    const names = { name: 'names', text: 'SELECT unnest($1::text[]) AS name', values: [['a', '"\\,']] }
    // The first use of both, at which the connection prepares them.
    await assert.rejects(send(client, [names, inverse('{0}'), names]), /division by zero/)
    const answers = await send(client, [inverse('{2}'), names, inverse('{3}')])
    assert.deepEqual(
      answers.map(({ rows }) => rows),
      [[{ x: 3 }], [{ name: 'a' }, { name: '"\\,' }], [{ x: 2 }]],
    )
  })

  it('has the settings that calls rely on, whatever the database and the options of the URL say', async () => {
    const url = new URL(await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!))
    for (const setting of [
      'client_min_messages = error',
      'synchronous_commit = off',
      'array_nulls = off',
      'jit = on',
    ])
      await asAdmin(url.href, (admin) =>
        admin.query(`ALTER DATABASE ${url.pathname.slice(1)} SET ${setting}`),
      )
    url.searchParams.set('options', '-c work_mem=1234kB -c synchronous_commit=local')
    const connection = pipelined(url.href)
    const pool = pooled(url.href)
    const show = (name: string) => ({ text: `SHOW ${name}` })
    try {
      const shown = (await send(await connection.client(), SETTINGS.map(show))).map(({ rows }) => rows[0])
      assert.deepEqual(Object.assign({}, ...shown), {
        client_min_messages: 'warning',
        synchronous_commit: 'on',
        array_nulls: 'on',
        jit: 'off',
        work_mem: '1234kB',
      })
      assert.equal((await pool.query('SHOW synchronous_commit')).rows[0].synchronous_commit, 'on')
    } finally {
      await connection.close()
      await pool.end()
    }
  })

  it('reports a statement that is not supported, instead of a lost connection', async () => {
    const pool = pooled(await createDatabase(process.env.QUANTD_TEST_POSTGRES_URL!))
    function* counting(): Transaction<void> {
      yield { sql: 'SELECT count(*) FROM accounts FOR UPDATE', parameters: [] }
    }
    try {
      await assert.rejects(runnerOn(pool, {})(counting), DatabaseError)
    } finally {
      await pool.end()
    }
  })
})

it('a transaction that Citus planned while a shard moved is repeated', async () => {
  const moving = Object.assign(
    new DatabaseError('cannot find a worker that has active placements', 0, 'error'),
    {
      code: '0A000',
      routine: 'QueryPushdownTaskCreate',
    },
  )
  let tries = 0
  const client = {
    release() {},
    async query(text: string) {
      if (text === 'SELECT 1' && ++tries === 1) throw moving
      return { command: text, rows: [] }
    },
  }
  const pool = { connect: async () => client } as unknown as Pool
  function* reading(): Transaction<void> {
    yield { sql: 'SELECT 1', parameters: [] }
  }
  await runnerOn(pool, { isPassing: metMove })(reading)
  assert.equal(tries, 2)
})

async function noneIsOpen(url: string): Promise<void> {
  const sql = postgresSql(url)
  try {
    await until(async () => (await sql.query(OPEN)).length === 0, 'no connection was left open')
  } finally {
    await sql.close()
  }
}
