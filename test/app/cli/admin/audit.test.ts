/** quantd admin export-audit: every call, event and refusal once, in order of time. */
import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { describe, it } from 'node:test'
import { operatorActsReader } from '../../../../src/app/main/background.ts'
import { number, query } from '../../../support/database.ts'
import { operator, settingsOf } from '../../../support/operator.ts'
import { COMPUTED, useService } from '../../../support/people.ts'

const service = await useService()
const quantd = operator(settingsOf(service))

const admin = (...args: string[]) => quantd(['admin', ...args])
const compute = (key: string, wealth = 2) => service.call(COMPUTED, { key, body: { wealth } })
const newest = () => number(service, 'SELECT max(id) FROM accounts')

describe('quantd admin export-audit', () => {
  const lines = async (...args: string[]) => {
    const { code, err, out } = await admin('export-audit', ...args)
    assert.equal(code, 0, err)
    return out.split('\n').filter(Boolean)
  }

  it('holds calls, failures, events and refusals of an account, in order of time', async () => {
    const key = await service.guest()
    const id = String(await newest())
    await compute(key)
    await compute(key, -1)
    await admin('suspend', id)
    await compute(key)
    await compute(key)
    await admin('unsuspend', id)
    const rows = (await lines('--account', id)).map((line) => JSON.parse(line))
    assert.deepEqual(
      rows
        .filter(({ kind }) => kind !== 'refusal')
        .map(({ kind, path, status, code, credits }) => [kind, path, status, code, credits]),
      [
        ['event', '/guest/create', 200, 'guest_created', 0],
        ['computation', COMPUTED, 200, null, 1],
        ['computation', COMPUTED, 422, 'invalid_input', 0],
        ['event', 'admin suspend', 200, 'key_suspended', 0],
        ['event', 'admin unsuspend', 200, 'key_unsuspended', 0],
      ],
    )
    const refusals = rows.filter(({ kind }) => kind === 'refusal')
    assert.equal(
      refusals.reduce((sum, { calls }) => sum + calls, 0),
      2,
    )
    assert.ok(refusals.every(({ code, ip }) => code === 'api_key_invalid' && ip !== ''))
    const times = rows.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted())
  })

  it('refuses a time that ends before it begins, instead of exporting nothing', async () => {
    for (const begin of [
      ['--from', '2026-02-01'],
      ['--since', '1h'],
    ]) {
      const { code, err, out } = await admin('export-audit', ...begin, '--to', '2026-01-01')
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, /^quantd: The end \(--to\) is before the beginning\. Nothing was exported\.\n$/)
    }
  })

  it('and cost-report print no headings of a table for an account that does not exist', async () => {
    for (const command of [
      ['export-audit', '--format', 'csv'],
      ['cost-report', '--month', new Date().toISOString().slice(0, 7)],
    ]) {
      const { code, out } = await admin(...command, '--account', 'nobody@example.org')
      assert.deepEqual([code, out], [1, ''])
    }
  })

  it('gives every row once across pages, whatever the number of rows with one time', async () => {
    const account = 987_654
    const at = Date.UTC(2020, 0, 15)
    const rows = Array.from({ length: 2_500 }, (_, i) => {
      const id = String(i).padStart(8, '0')
      return `('${id}', ${at + Math.floor(i / 1_200)}, ${account}, 'computation', 'POST', '/x', 200, 0, 1, '::1', 'r', 1, 0)`
    })
    await query(
      service,
      `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
       VALUES ${rows.join(', ')}`,
    )
    const minute = (i: number) => at + 60_000 * Math.floor(i / 700)
    const refusals = Array.from(
      { length: 2_100 },
      (_, i) => `(${i}, ${account}, '::1', 'x', ${minute(i)}, 3)`,
    )
    await query(
      service,
      `INSERT INTO refusals (key_id, account_id, ip, code, minute, count) VALUES ${refusals.join(', ')}`,
    )
    const all = (await lines('--account', String(account))).map((line) => JSON.parse(line))
    assert.equal(new Set(all.filter(({ id }) => id !== null).map(({ id }) => id)).size, 2_500)
    assert.equal(new Set(all.filter(({ id }) => id === null).map(({ key_id }) => key_id)).size, 2_100)
    assert.equal(all.length, 4_600)
    const times = all.map((row) => row.at)
    assert.deepEqual(times, times.toSorted())

    const range = ['--from', '2020-01-15', '--to', '2020-01-15T00:00:00.001Z']
    assert.equal((await lines('--account', String(account), ...range)).length, 1_200 + 700)
    assert.equal((await lines('--from', '2020-01-15T00:01Z', '--to', '2020-01-16')).length, 1_400)
    assert.equal((await lines('--from', '2020-01-01', '--to', '2020-01-15')).length, 0)
  })

  it('writes CSV as RFC 4180 has it', async () => {
    await service.guest()
    const id = await newest()
    const detail = '{"text":"a \\"quote\\", a comma\\nand a line"}'
    await query(service, `UPDATE audit SET detail = '${detail}' WHERE account_id = ${id}`)
    const { out } = await admin('export-audit', '--format', 'csv', '--account', String(id))
    const [heading, row, rest] = out.split('\r\n')
    assert.equal(
      heading,
      'at,id,account_id,key_id,kind,method,path,status,code,credits,calls,ip,request_id,duration_ms,replayed,detail',
    )
    assert.equal(rest, '')
    assert.ok(row!.endsWith(`,0,false,"${detail.replaceAll('"', '""')}"`), row)
    const [line] = await lines('--account', String(id))
    assert.deepEqual(JSON.parse(line!).detail, JSON.parse(detail))
  })

  it('finds the rows of one request, of the last minutes too', async () => {
    const key = await service.guest()
    const id = String(await newest())
    const { headers } = await compute(key)
    await compute(key)
    const requestId = headers.get('x-request-id')!
    const rows = (await lines('--request-id', requestId)).map((line) => JSON.parse(line))
    assert.deepEqual(
      rows.map(({ account_id, path, request_id }) => [account_id, path, request_id]),
      [[Number(id), COMPUTED, requestId]],
    )
    assert.deepEqual(await lines('--request-id', 'unknown'), [])
    assert.equal((await lines('--account', id, '--since', '10m')).length, 3)
    await query(service, `UPDATE audit SET at = at - 7200000 WHERE request_id = '${requestId}'`)
    assert.equal((await lines('--account', id, '--since', '1h')).length, 2)
    assert.equal((await lines('--account', id, '--since', '1d')).length, 3)
  })

  it('refuses times and formats that it cannot read', async () => {
    for (const wrong of [
      ['--from', 'yesterday'],
      ['--to', '2020-13-01'],
      ['--format', 'xml'],
      ['--since', '10 minutes'],
      ['--since', '1h', '--from', '2026-01-01'],
    ])
      assert.equal((await admin('export-audit', ...wrong)).code, 2, wrong.join(' '))
    const { err } = await admin('export-audit', '--since', 'yesterday')
    assert.match(err, /as 30m, 24h or 7d, .* as 2026-01-31/)
  })
})

describe('the log of the service', () => {
  it('gets each act of an operator once, with the name of the operator', async () => {
    const logged: object[] = []
    const log = {
      info: (facts: object) => logged.push(facts),
      warn: (facts: object) => assert.fail(String(facts)),
    }
    const read = operatorActsReader(service.store, log as never)
    await read()
    await service.guest()
    const id = await newest()
    await admin('suspend', String(id))
    await admin('unsuspend', String(id))
    await read()
    await read()
    const acts = logged as { act: string; accountId: number; detail: string }[]
    assert.deepEqual(
      acts.map(({ accountId, act }) => [accountId, act]),
      [
        [id, 'key_suspended'],
        [id, 'key_unsuspended'],
      ],
    )
    assert.equal(JSON.parse(acts[0].detail).actor, userInfo().username)
  })
})
