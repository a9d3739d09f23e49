/** Broken assertions over HTTP: an account whose rows are corrupt gets 500, and the calls that share its groups are answered. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { query } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { ledgerAccount, ledgerStateOf, sqlOf } from '../support/ledger-accounts.ts'
import { COMPUTED, useService } from '../support/people.ts'
import { closedAfter, request } from '../support/service.ts'

const CALLS = 8
const CREDITS = 100

const lines: string[] = []
const log = pino({ base: null }, { write: (line: string) => lines.push(line) })
const metricsPort = await freePort()
const service = await useService({ METRICS_PORT: String(metricsPort) }, { log })
const sql = closedAfter(sqlOf(service))

const newAccount = () => ledgerAccount(service, sql, { credits: CREDITS, hourLimit: 1_000 })
const wholes = async () => [await newAccount(), await newAccount()] as const
const send = (key: string) => service.call(COMPUTED, { key, body: { wealth: 2 } })
/** The replies to calls of both accounts, which arrive together. */
async function together(keys: readonly string[]): Promise<number[][]> {
  const sent = keys.map(() => [] as Promise<number>[])
  for (let n = 0; n < CALLS; n++)
    keys.forEach((key, index) => {
      sent[index].push(send(key).then(({ status }) => status))
    })
  return await Promise.all(sent.map((own) => Promise.all(own)))
}
const brokenBy = async (assertion: string): Promise<number> => {
  const { text } = await request(`http://127.0.0.1:${metricsPort}/metrics`)
  const found = new RegExp(
    `^quantd_ledger_broken_assertions_total\\{assertion="${assertion}"\\} (\\d+)$`,
    'm',
  ).exec(text)
  return Number(found?.[1])
}

describe('a lot that holds more than its grant', () => {
  it('fails the calls of its account alone, and nothing of them is written', async () => {
    const [broken, sound] = await wholes()
    const end = Date.now() + 3_600_000
    await query(
      service,
      `INSERT INTO lots (account_id, granted, remaining, expires_at) VALUES (${broken.id}, 5, 50, ${end})`,
    )
    await query(service, `UPDATE accounts SET lots_expire_at = ${end} WHERE id = ${broken.id}`)
    assert.equal(await brokenBy('lot'), 0)
    const [failed, answered] = await together([broken.key, sound.key])
    assert.deepEqual(new Set(failed), new Set([500]))
    assert.deepEqual(new Set(answered), new Set([200]))
    const untouched = await ledgerStateOf(sql, broken.id)
    assert.deepEqual([untouched.balance, untouched.hour, untouched.auditRows], [CREDITS, 0, 0])
    const charged = await ledgerStateOf(sql, sound.id)
    assert.deepEqual(
      [charged.balance, charged.hour, charged.debited, charged.auditRows],
      [CREDITS - CALLS, CALLS, CALLS, CALLS],
    )
    assert.ok((await brokenBy('lot')) >= CALLS)
    const logged = lines.map((line) => JSON.parse(line)).filter(({ assertion }) => assertion === 'lot')
    assert.ok(logged.length >= CALLS)
    assert.ok(logged.every(({ ids }) => ids.account_id === broken.id && ids.granted === 5))
    await query(service, `UPDATE lots SET remaining = 5 WHERE account_id = ${broken.id}`)
    assert.equal((await send(broken.key)).status, 200)
  })
})

if (service.databaseUrl === null)
  describe('an update that changes no row', () => {
    it('fails the calls of its account alone', async () => {
      const [broken, sound] = await wholes()
      await query(
        service,
        `CREATE TRIGGER lost BEFORE UPDATE ON accounts WHEN old.id = ${broken.id} BEGIN SELECT RAISE(IGNORE); END`,
      )
      const [failed, answered] = await together([broken.key, sound.key])
      assert.deepEqual([new Set(failed), new Set(answered)], [new Set([500]), new Set([200])])
      await query(service, 'DROP TRIGGER lost')
      const { auditRows, balance } = await ledgerStateOf(sql, broken.id)
      assert.deepEqual([balance, auditRows], [CREDITS, 0])
      assert.ok((await brokenBy('row')) >= CALLS)
    })
  })
