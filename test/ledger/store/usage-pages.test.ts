/** Pages of a long usage history whose filter matches few rows: each reads a bounded number of rows. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { UsageFilter, UsagePlace } from '../../../src/accounts/usage-pages.ts'
import { usagePage } from '../../../src/accounts/usage-pages.ts'
import { ledgerAccount, sqlOf } from '../../support/ledger-accounts.ts'
import { useService } from '../../support/people.ts'

const CALLS = 9_000
const FAILED_EACH = 3_000
const INSERTED_AT_ONCE = 1_000

const service = await useService()
let accountId: number
/** The failures in the order of the history. */
let failures: string[]

/** An account, and a guest that it took over, with 9,000 calls each, of which each 3,000th failed; the guest's are older. */
before(async () => {
  const sql = sqlOf(service)
  const means = { credits: 0, hourLimit: 100 }
  const account = await ledgerAccount(service, sql, means)
  const guest = await ledgerAccount(service, sql, means)
  accountId = account.id
  await sql.query('UPDATE accounts SET linked_to = $1 WHERE id = $2', [accountId, guest.id])
  const now = Date.now()
  const failed: UsagePlace[] = []
  for (const [owner, start] of [
    [accountId, now - 10_000],
    [guest.id, now - 15_500],
  ] as const)
    for (let first = 1; first <= CALLS; first += INSERTED_AT_ONCE) {
      const rows = Array.from({ length: INSERTED_AT_ONCE }, (_, index) => {
        const n = first + index
        const [id, at, isFailed] = [`${owner}-${n}`, start + n, n % FAILED_EACH === 0]
        if (isFailed) failed.push({ id, at })
        const status = isFailed ? 422 : 200
        return `('${id}', ${at}, ${owner}, 'computation', 'POST', '/p', ${status}, 0, 1, '', 'r${n}', 0, 0)`
      })
      await sql.query(
        `INSERT INTO audit (id, at, account_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
         VALUES ${rows.join(', ')}`,
      )
    }
  await sql.close()
  failures = failed.sort((one, other) => other.at - one.at).map(({ id }) => id)
})

const page = (filter: UsageFilter, before: UsagePlace | null, limit: number) =>
  usagePage(service.store, { accountId, limit, before, filter })

async function pagesOf(filter: UsageFilter, limit: number) {
  const pages = []
  let place: UsagePlace | null = null
  do {
    const { items, next } = await page(filter, place, limit)
    pages.push(items)
    place = next
  } while (place !== null && pages.length < 50)
  return pages
}

test('every failure is found once, newest first, and no page reads more than its share of the rows', async () => {
  assert.equal(failures.length, 6)
  const pages = await pagesOf({ status: 'failure' }, 2)
  assert.deepEqual(
    pages.flat().map(({ id }) => id),
    failures,
  )
  assert.ok(pages.length >= 4, `${pages.length} pages for 18,000 rows`)
})

test('pages whose filter matches every row are full and hold each row once, newest first', async () => {
  const pages = await pagesOf({ path: '/p' }, 1_000)
  const items = pages.flat()
  assert.equal(new Set(items.map(({ id }) => id)).size, 2 * CALLS)
  assert.equal(items.length, 2 * CALLS)
  assert.ok(items.every(({ at }, index) => index === 0 || at <= items[index - 1].at))
  assert.ok(pages.slice(0, -1).every(({ length }) => length === 1_000))
})

test('a request is found in the account and in the guest that it took over', async () => {
  const { items, next } = await page({ requestId: `r${FAILED_EACH}` }, null, 10)
  assert.equal(items.length, 2)
  assert.equal(next, null)
})
