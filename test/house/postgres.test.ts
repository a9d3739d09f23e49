/** The PostgreSQL of the tests is a real and durable server. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type Postgres, startPostgres } from '../support/postgres.ts'

let postgres: Postgres

before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  // Open connections lose the killed server; the next query would throw in any case.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('it answers', async () => {
  assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
})

test('it forces every commit to disk, and uses UTF-8 with the C locale', async () => {
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding']
  const sql = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')},
    (select datcollate from pg_database where datname = current_database()) as collation`
  assert.deepEqual(await query(postgres.url, sql), [
    {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      server_encoding: 'UTF8',
      collation: 'C',
    },
  ])
})

test('two databases of one server are separate', async () => {
  const [one, other] = await Promise.all([createDatabase(postgres.url), createDatabase(postgres.url)])
  await query(one, 'create table mine (n integer)')
  await assert.rejects(query(other, 'select * from mine'), { code: '42P01' })
})

test('committed rows survive kill9, an open transaction does not', async () => {
  const url = await createDatabase(postgres.url)
  await query(url, 'create table kept (n integer)')
  await query(url, 'insert into kept values (1), (2)')
  const open = new pg.Client({ connectionString: url })
  open.on('error', () => {})
  await open.connect()
  await open.query('begin')
  await open.query('insert into kept values (3)')

  const before = postgres.pid
  postgres.kill9()
  assert.equal(postgres.pid, undefined)
  await assert.rejects(query(url, 'select 1'))
  await postgres.start()

  assert.notEqual(postgres.pid, before)
  assert.deepEqual(await query(url, 'select n from kept order by n'), [{ n: 1 }, { n: 2 }])
})
