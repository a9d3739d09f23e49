/** The accounts of a run: created through the API, then given credits and rate limits in SQL. */
import { lettersIn } from '../../support/people.ts'
import type { PlainSql } from '../../support/plain-sql.ts'
import { reached, request } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { PASSWORD_MARK } from './judge.ts'
import type { Account } from './ledger-check.ts'

/** The number of credits, and of requests an hour and a day. */
const AMPLE = 1_000_000_000

const GUEST_CREDITS = 50

const PASSWORD = `${PASSWORD_MARK} password`

/** A guest account with these credits and ample limits. */
export async function guestAccount(
  url: string,
  sql: PlainSql,
  device: string,
  credits = AMPLE,
): Promise<Account> {
  const { api_key: apiKey } = await post(url, '/guest/create', {
    device_id: device,
    device_name: 'd',
    platform: 'p',
  })
  const [row] = await sql.query<{ id: number }>('SELECT id FROM accounts WHERE device_id = $1', [device])
  const { id } = row!
  await grant(sql, id, credits - GUEST_CREDITS)
  return { id, apiKey }
}

/** A registered account, verified with the code from its mail. */
export async function member(url: string, sql: PlainSql, dataDir: string, email: string): Promise<Account> {
  await post(url, '/user/register', { username: 'fuzz', email, password: PASSWORD })
  await until(() => lettersIn(dataDir, email).length > 0, `${email} has a code`)
  const otp = lettersIn(dataDir, email)[0]?.code
  const { api_key: apiKey } = await post(url, '/user/verify-otp', { email, otp })
  const [row] = await sql.query<{ id: number }>('SELECT id FROM accounts WHERE address = $1', [email])
  const { id } = row!
  await grant(sql, id, AMPLE)
  return { id, apiKey }
}

async function grant(sql: PlainSql, id: number, credits: number): Promise<void> {
  await sql.query(
    `UPDATE accounts SET hour_limit = $1, day_limit = $2, balance = balance + $3 WHERE id = $4`,
    [AMPLE, AMPLE, credits, id],
  )
  // Added to the first grant: a new row would need its bucket on a sharded database.
  await sql.query(`UPDATE ledger SET amount = amount + $1 WHERE account_id = $2 AND kind = 'grant'`, [
    credits,
    id,
  ])
}

async function post(url: string, path: string, body: object): Promise<{ api_key: string }> {
  const answer = await reached(() => request(url + path, { body }))
  if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}: ${answer.text}`)
  return answer.body.data
}
