/** Reads of operators and owners on SQLite: they run beside the calls, each in one snapshot, and write nothing. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Row, rows, type Sql, statement, type Transaction } from '../../../src/ledger/store/sql.ts'
import { NotCommitted } from '../../../src/ledger/store/store.ts'
import { closedAfter, startTestService } from '../../support/service.ts'

const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? 'SQLite only' : false
/** Takes some hundred milliseconds. */
const LONG =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) AS n FROM n'

function* accountIds({ db }: Sql): Transaction<number[]> {
  return (yield* rows(db.selectFrom('accounts').select('id').orderBy('id'))).map(({ id }) => id)
}

function* readLong(): Transaction<Row[]> {
  return yield statement(LONG)
}

function* deleteFact(): Transaction<void> {
  yield statement("DELETE FROM facts WHERE name = 'x'")
}

describe('a read', { skip }, async () => {
  const service = closedAfter(await startTestService())
  const { reads } = service.store

  it('that takes long delays no request', async () => {
    let isOver = false
    const reading = reads.run(readLong).finally(() => {
      isOver = true
    })
    await service.guest()
    assert.equal(isOver, false)
    assert.deepEqual(await reading, [{ n: 3_000_000 }])
  })

  it('sees one state of the database from its first statement to its last, and later ones the newest', async () => {
    const written = Promise.withResolvers<void>()
    const [first, last] = await reads.run(function* (sql) {
      const before = yield* accountIds(sql)
      service.guest().then(() => written.resolve(), written.reject)
      // The guest is made while this statement runs.
      yield statement(LONG)
      return [before, yield* accountIds(sql)]
    })
    await written.promise
    assert.deepEqual(last, first)
    assert.equal((await reads.run(accountIds)).length, first!.length + 1)
  })

  it('gets bytes as the other transactions do', async () => {
    const readKeys = function* ({ db }: Sql) {
      return yield* rows(db.selectFrom('api_keys').select(['hash', 'sealed']).orderBy('id'))
    }
    const [read, own] = [await reads.run(readKeys), await service.store.run(readKeys)]
    assert.ok(read.length > 0)
    const hex = (keys: typeof read) => keys.map(({ hash }) => Buffer.from(hash).toString('hex'))
    assert.deepEqual(hex(read), hex(own))
  })

  it('that writes is refused, and the next ones succeed', async () => {
    await assert.rejects(reads.run(deleteFact), NotCommitted)
    assert.ok((await reads.run(accountIds)).length > 0)
  })

  it('of many at once succeeds', async () => {
    const found = await Promise.all(Array.from({ length: 50 }, () => reads.run(accountIds)))
    assert.equal(new Set(found.map(({ length }) => length)).size, 1)
  })
})
