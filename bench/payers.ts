/** Accounts with enough credits and limits for any bench, and a journal that refunds nothing. */

import { randomBytes, randomUUID } from 'node:crypto'
import { addGuest } from '../src/accounts/create-guest.ts'
import { uuidv7 } from '../src/base/ids.ts'
import type { RefundJournal } from '../src/ledger/metering/refund-journal.ts'
import type { Store } from '../src/ledger/store/store.ts'
import type { PlainSql } from '../test/support/plain-sql.ts'
import type { Payer } from './settlements.ts'

const ACCOUNTS = 64

export const noRefunds: RefundJournal = { add() {}, adopt() {}, size: 0, close() {} }

export async function accountsOf(store: Store, sql: PlainSql): Promise<Payer[]> {
  for (let i = 0; i < ACCOUNTS; i++)
    await store.run(addGuest, {
      uid: randomUUID(),
      key: {
        uid: randomUUID(),
        hash: randomBytes(32),
        masterKeyId: 'bench',
        prefix: 'qd_guest_abcd',
        last4: 'wxyz',
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
