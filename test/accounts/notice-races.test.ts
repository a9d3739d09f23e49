/** Looks of several nodes at the balances at once: a node that is slow acts on what it has read before. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaceNotices, sendNotices } from '../../src/accounts/notices.ts'
import { openPostgres } from '../../src/ledger/store/postgres/open.ts'
import { rows } from '../../src/ledger/store/sql.ts'
import { openSqlite } from '../../src/ledger/store/sqlite/open.ts'
import { createAccount } from '../../src/operators/account-changes.ts'
import { newAccount } from '../support/new-account.ts'
import { testDatabase } from '../support/postgres.ts'
import { testVault } from '../support/proven-audit.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const HOUR_MS = 3_600_000
const vault = testVault()
const made = newAccount('ada@example.org')

const folder = temporaryFolder('notices')
let clockOffsetMs = 0
const clock = { clockOffsetMs: () => clockOffsetMs }
const url = await testDatabase({ isEmpty: true })
const store =
  url === null
    ? openSqlite({ file: join(folder, 'quantd.db'), ...clock })
    : await openPostgres({ url, ...clock })
const accountId = (await store.run(createAccount, { ...made, credits: 100 }))!.accountId
const { event } = made
test.after(() => store.close())

const setBalance = (balance: number) =>
  store.run((sql) => rows(sql.db.updateTable('accounts').set({ balance }).where('id', '=', accountId)))

const look = () => sendNotices(store, vault)

/** A node that reads now, and writes when the returned function is called. */
async function slowNode(): Promise<() => Promise<unknown>> {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: hasRead, resolve: read } = Promise.withResolvers<void>()
  const run: typeof store.reads.run = async (verb, ...args) => {
    const found = await store.reads.run(verb, ...args)
    read()
    await held
    return found
  }
  const looked = sendNotices({ reads: { run }, run: store.run }, vault)
  await hasRead
  return () => {
    goOn()
    return looked
  }
}

/** The mails of thresholds that were queued, after a time. */
async function mailsAfter(ms: number): Promise<number> {
  clockOffsetMs += ms
  await look()
  const mails = await store.run((sql) => rows(sql.db.selectFrom('mails').select('id')))
  return mails.length
}

/** Sets the threshold of 50 anew, while the balance is 100. */
async function begin(): Promise<number> {
  await setBalance(100)
  for (const credits of [[], [50]])
    await store.run(replaceNotices, {
      accountId,
      keyId: 1,
      credits,
      event: { ...event, auditId: crypto.randomUUID() },
    })
  return await mailsAfter(0)
}

/** Lets the balance fall, and rise again an hour later. */
async function fallAndRise(): Promise<void> {
  await setBalance(50)
  await look()
  clockOffsetMs += HOUR_MS
  await setBalance(100)
}

test('a fall that three nodes see at once causes one mail', async () => {
  const before = await begin()
  await setBalance(50)
  const nodes = [await slowNode(), await slowNode(), await slowNode()]
  await Promise.all(nodes.map((goOn) => goOn()))
  assert.equal((await mailsAfter(2 * HOUR_MS)) - before, 1)
})

test('a node that saw the rise before, and acts after the fall, causes no second mail', async () => {
  const before = await begin()
  await fallAndRise()
  const goOn = await slowNode()
  await look()
  await setBalance(50)
  await look()
  await goOn()
  assert.equal((await mailsAfter(2 * HOUR_MS)) - before, 2)
})

test('a node that saw the fall before, and acts after the rise, causes no second mail', async () => {
  const before = await begin()
  await setBalance(50)
  const goOn = await slowNode()
  await look()
  await setBalance(100)
  await look()
  await goOn()
  assert.equal((await mailsAfter(2 * HOUR_MS)) - before, 1)
})
