/** Settlements without HTTP: accounts, and the number that a meter settles in a second. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { PlainSql } from '../proofs/torture/plain-sql.ts'
import { BUCKETS } from '../src/buckets.ts'
import { uuidv7 } from '../src/ids.ts'
import type { Call } from '../src/ledger/types.ts'
import type { Meter } from '../src/metering/meter.ts'
import type { RefundJournal } from '../src/metering/refund-journal.ts'
import { admitAndSettle } from '../src/pipeline/settle.ts'
import type { Store } from '../src/store/store.ts'

export const ACCOUNTS = 64
export const PATH = '/quantlib/pricing/bs/price'

export const noRefunds: RefundJournal = { add() {}, adopt() {}, size: 0, close() {} }

export async function accountsOf(store: Store, sql: PlainSql): Promise<{ accountId: number; keyId: number }[]> {
  for (let i = 0; i < ACCOUNTS; i++)
    await store.createGuest({
      uid: randomUUID(),
      key: {
        uid: randomUUID(),
        hash: randomBytes(32),
        bucket: i % BUCKETS,
        masterKeyId: 'bench',
        sealed: randomBytes(64),
      },
      credits: 1_000_000_000,
      lifetimeMs: 86_400_000,
      device: { id: 'bench', name: 'bench', platform: 'bench' },
      event: {
        auditId: uuidv7(),
        ip: '127.0.0.1',
        requestId: randomUUID(),
        method: 'POST',
        path: '/guest/create',
      },
    })
  await sql.query('UPDATE accounts SET hour_limit = 1000000000, day_limit = 1000000000')
  const keys = await sql.query<{ account_id: number; id: number }>('SELECT account_id, id FROM api_keys')
  return keys.map(({ account_id, id }) => ({ accountId: account_id, keyId: id }))
}

export const callOf = (of: { accountId: number; keyId: number }): Call => ({
  ...of,
  id: uuidv7(),
  kind: 'computation',
  method: 'POST',
  path: PATH,
  ip: '203.0.113.77',
  requestId: uuidv7(),
  cost: 1,
  idempotency: null,
})

const paid = { body: '', encoding: 'json' as const, credits: 1, calls: 1, parts: null }

export async function settledPerSecond(
  meter: Meter,
  accounts: Awaited<ReturnType<typeof accountsOf>>,
  concurrency: number,
  seconds = 1,
): Promise<number> {
  const started = performance.now()
  const until = started + seconds * 1_000
  let settled = 0
  const one = async (number: number) => {
    while (performance.now() < until) {
      await admitAndSettle(meter, callOf(accounts[number % ACCOUNTS]!), paid, started)
      settled += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, number) => one(number)))
  return settled / ((performance.now() - started) / 1_000)
}

