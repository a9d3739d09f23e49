/** The usage of a day for a warehouse: the same bytes for ever, and sums that the ledger agrees with. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { number, query } from '../../../support/database.ts'
import { linesOf, useOperators } from '../../../support/operators.ts'
import { COMPUTED, refused } from '../../../support/people.ts'

const DAY_MS = 86_400_000
const { act, quantd, service, tokens } = await useOperators()

/** The tests compute now, and move their rows to an earlier day. */
const now = service.newDay()
const moved = 4 * DAY_MS
const day = new Date(now - moved).toISOString().slice(0, 10)

const file = (name: string) => join(service.dataDir, name)
const exported = async (name: string, more: readonly string[] = []) => {
  const { code, err, json } = await quantd([
    'admin',
    'export-usage',
    '--day',
    day,
    '--output',
    file(name),
    '--json',
    ...more,
  ])
  assert.equal(code, 0, err)
  return json
}
const page = (search: string) => act(`usage?${search}`, undefined, tokens.viewer)

describe('the usage of a day', () => {
  it('has every call and refund once, in CSV, Parquet and over HTTP, and adds up to the balances', async () => {
    const person = await service.person()
    const team = (await service.call('/user/keys/create', { key: person.key, body: { name: 'n' } })).body.data
    for (const key of [person.key, team.key, await service.guest()]) await service.compute(key)
    await service.failToCompute(person.key)
    const calls = Array.from({ length: 7 }, (_, i) => ({ path: COMPUTED, body: { wealth: i } }))
    await service.call('/quantlib/batch', { key: person.key, body: { calls } })
    // A call whose outcome was unknown, and which was refunded.
    const id = await number(service, `SELECT id FROM accounts WHERE address = '${person.email}'`)
    const [call] = await query(
      service,
      `SELECT id FROM audit WHERE account_id = ${id} AND credits = 1 ORDER BY at LIMIT 1`,
    )
    await query(service, `UPDATE accounts SET balance = balance + 1 WHERE id = ${id}`)
    await query(
      service,
      `INSERT INTO ledger (at, account_id, kind, amount, audit_id) VALUES (${now}, ${id}, 'refund', 1, '${call!.id}')`,
    )
    for (const [table, column] of [
      ['audit', 'at'],
      ['ledger', 'at'],
      ['accounts', 'created_at'],
    ])
      await query(service, `UPDATE ${table} SET ${column} = ${column} - ${moved}`)

    const totals = await exported('usage.csv')
    assert.deepEqual([totals.rows, totals.calls, totals.credits, totals.refunds], [6, 11, 8, 1])
    const data = linesOf(readFileSync(file('usage.csv'), 'utf8'))
    const spent = data
      .filter((row) => Number(row.account_id) === id)
      .reduce((sum, row) => sum + Number(row.credits), 0)
    const given = await number(
      service,
      `SELECT sum(amount) FROM ledger WHERE account_id = ${id} AND kind <> 'refund'`,
    )
    assert.equal(given - spent, await number(service, `SELECT balance FROM accounts WHERE id = ${id}`))
    assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)
    assert.equal(data.filter((row) => Number(row.team_key_id) === team.id).length, 1)

    assert.deepEqual(await exported('usage.parquet', ['--format', 'parquet']), {
      ...totals,
      output: file('usage.parquet'),
    })
    const source = await asyncBufferFromFile(file('usage.parquet'))
    const { key_value_metadata: sums } = await parquetMetadataAsync(source)
    assert.equal(sums!.find(({ key }) => key === 'quantd.credits')!.value, '8')
    const rows = (await parquetReadObjects({ file: source })).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Date ? value.toISOString() : value === null ? '' : String(value),
        ]),
      ),
    )
    assert.deepEqual(rows, data)

    const items: object[] = []
    for (let cursor = ''; ; ) {
      const { body } = await page(`day=${day}&limit=4${cursor && `&cursor=${cursor}`}`)
      assert.deepEqual(
        body.data.totals,
        cursor === '' ? { rows: 6, calls: 11, credits: 8, refunds: 1 } : undefined,
      )
      items.push(...body.data.items)
      if (body.data.next_cursor === null) break
      cursor = body.data.next_cursor
    }
    assert.deepEqual(
      items.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')])),
      ),
      data,
    )
  })

  it('leaves no part of a file that cannot be written', async () => {
    mkdirSync(file('folder'))
    const { code } = await quantd(['admin', 'export-usage', '--day', day, '--output', file('folder')])
    assert.deepEqual([code, existsSync(file('folder.part'))], [1, false])
  })

  it('is the same file after later calls, and after the account was deleted', async () => {
    const formats = [['again.csv'], ['again.parquet', '--format', 'parquet']] as const
    const before = readFileSync(file('usage.csv'))
    const parquet = readFileSync(file('usage.parquet'))
    const [owner] = await query(service, 'SELECT address FROM accounts WHERE address IS NOT NULL')
    const { key } = (await service.login(String(owner!.address))).body.data
    await service.compute(key)
    await quantd(['admin', 'delete-account', String(owner!.address), '--yes'])
    for (const [name, ...more] of formats) await exported(name, more)
    assert.ok(before.equals(readFileSync(file('again.csv'))))
    assert.ok(parquet.equals(readFileSync(file('again.parquet'))))
    assert.ok(!before.includes('127.0.0.1') && !before.includes(String(owner!.address)))
  })

  it('that grows, because the clock was set back into it, is told when it is exported again', async () => {
    const told = async () => (await quantd(['admin', 'export-usage', '--day', day])).err
    assert.doesNotMatch(await told(), /more than at its first export/)
    const late = `SELECT 'late', at, account_id, kind, method, path, status, 0, 1, ip, request_id, duration_ms, replayed FROM audit
      WHERE kind = 'computation' ORDER BY at LIMIT 1`
    await query(
      service,
      `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed) ${late}`,
    )
    assert.match(await told(), /has 1 row more than at its first export, because the clock .* was set back/)
    await query(service, "DELETE FROM audit WHERE id = 'late'")
  })

  it('is refused while the day is open, and where its audit is gone', async () => {
    const refusals = async (wanted: string, pattern: RegExp) => {
      const { code, err } = await quantd(['admin', 'export-usage', '--day', wanted])
      assert.equal(code, 1)
      assert.match(err, pattern)
      refused(await page(`day=${wanted}`), 409, 'conflict')
    }
    const days = (count: number) => new Date(Date.now() + count * DAY_MS).toISOString().slice(0, 10)
    // The command has the clock of the machine, for which today is the day before.
    await refusals(days(1), /not closed yet/)
    await refusals(days(2), /not closed yet/)
    await refusals(days(-5), /was deleted in part or in whole/)
    const { code } = await quantd(['admin', 'export-usage', '--day', '2026-02-30'])
    assert.equal(code, 2)
    assert.equal((await quantd(['admin', 'export-usage', '--day', day, '--format', 'parquet'])).code, 2)
    refused(await page('day=2026-02-30'), 422, 'invalid_input')
    refused(await page(`day=${day}&cursor=MCB4`), 422, 'invalid_input')
    // The rows before the day are gone, and the oldest of the day.
    await query(service, `DELETE FROM audit WHERE at < ${now - moved}`)
    await query(service, `UPDATE accounts SET created_at = created_at - ${DAY_MS / 24}`)
    await refusals(day, /was deleted in part or in whole/)
  })
})
