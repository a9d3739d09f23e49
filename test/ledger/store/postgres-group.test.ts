/** Group commits on PostgreSQL: any text is stored unchanged, and if one statement fails nothing is committed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Call } from '../../../src/ledger/rules/types.ts'
import { openPostgres } from '../../../src/ledger/store/postgres/open.ts'
import { rows } from '../../../src/ledger/store/sql.ts'
import { NotCommitted, OutcomeUnknown, type Store } from '../../../src/ledger/store/store.ts'
import { type CommitProxy, openCommitProxy } from '../../support/commit-proxy.ts'
import { callOf, ledgerAccount, ledgerStateOf, sqlOf } from '../../support/ledger-accounts.ts'
import { success } from '../../support/ledger-in-memory.ts'
import { useService } from '../../support/people.ts'

const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? false : 'PostgreSQL only'
/** On Citus a worker commits a group, which test/ledger/store/citus.test.ts tests. */
const onCitus = process.env.QUANTD_TEST_CITUS !== undefined
/** Characters with a meaning in array literals or COPY, the text NULL, and characters of several bytes. */
const STRANGE = 'NULL \\N \\. {"a","b"} \\\\ \t \n \r\n \v "\' ü 漢 🙂'

describe('a group commit on PostgreSQL', { skip }, async () => {
  // Node gives each warning of the driver once.
  const warnings: string[] = []
  const noteWarning = ({ message }: Error) => warnings.push(message)
  process.on('warning', noteWarning)
  const service = await useService()
  const sql = sqlOf(service)
  const account = await ledgerAccount(service, sql, { credits: 100, hourLimit: 100 })
  after(async () => {
    process.off('warning', noteWarning)
    await sql.close()
  })

  const settle = (...calls: Call[]) =>
    service.store.commit({
      entries: calls.map((one) => ({ step: 'admitAndSettle', call: one, outcome: success })),
    })

  it('stores every text unchanged', async () => {
    const strange = callOf(account, { path: STRANGE, requestId: STRANGE, ip: '', method: '\\N' })
    const outcome = { ...success, parts: JSON.stringify({ [STRANGE]: STRANGE }) }
    await service.store.commit({ entries: [{ step: 'admitAndSettle', call: strange, outcome }] })
    const [row] = await sql.query(
      'SELECT path, request_id, ip, method, code, detail FROM audit WHERE id = $1',
      [strange.id],
    )
    assert.deepEqual(
      { ...row },
      { path: STRANGE, request_id: STRANGE, ip: '', method: '\\N', code: null, detail: outcome.parts },
    )
  })

  it('finds an idempotency key of any text', async () => {
    const once = () => callOf(account, { idempotency: { key: STRANGE, requestHash: 'h' } })
    const [first] = await settle(once())
    const [second] = await settle(once())
    assert.deepEqual(
      [first, second].map((verdict) => verdict!.ok && verdict!.replayed),
      [false, true],
    )
  })

  it('is rolled back if a write fails, and the next one succeeds', async () => {
    const before = await ledgerStateOf(sql, account.id)
    await assert.rejects(settle(callOf(account), callOf(account, { path: 'a zero \0 byte' })), NotCommitted)
    assert.deepEqual(await ledgerStateOf(sql, account.id), before)
    const [verdict] = await settle(callOf(account))
    assert.ok(verdict!.ok)
    assert.equal((await ledgerStateOf(sql, account.id)).balance, before.balance - 1)
  })

  it('waits on its connection for the rollback of the one before', async () => {
    for (let group = 0; group < 30; group++) {
      await assert.rejects(settle(callOf(account, { path: 'a zero \0 byte' })), NotCommitted)
      await settle(callOf(account))
    }
    assert.deepEqual(warnings, [])
  })

  describe('whose COMMIT is answered with the end of the server, as on a full disk', () => {
    let proxy: CommitProxy
    let store: Store
    before(async () => {
      proxy = await openCommitProxy(service.databaseUrl!)
      store = await openPostgres({ url: proxy.url })
    })
    after(async () => {
      await store.close()
      proxy.close()
    })
    const debit = (one: Call, { isRepeated = false } = {}) =>
      store.commit({ entries: [{ step: 'admitAndSettle', call: one, outcome: success }], isRepeated })

    if (!onCitus)
      it('may be committed: its outcome is unknown until the entries are entered again', async () => {
        await debit(callOf(account))
        const { balance } = await ledgerStateOf(sql, account.id)
        const unknown = callOf(account)
        const hasEnded = proxy.cut('panic', CUT_MS)
        await assert.rejects(debit(unknown), OutcomeUnknown)
        assert.ok(await hasEnded)
        const [verdict] = await debit(unknown, { isRepeated: true })
        assert.ok(verdict!.ok && verdict!.charged === 1)
        assert.equal((await ledgerStateOf(sql, account.id)).balance, balance - 1)
      })

    it('may be committed, also as a change of an account', async () => {
      const hasEnded = proxy.cut('panic', CUT_MS)
      const change = store.run(function* ({ db }) {
        yield* rows(db.updateTable('accounts').set({ hour_limit: 99 }).where('id', '=', account.id))
      })
      await assert.rejects(change, OutcomeUnknown)
      assert.ok(await hasEnded)
    })
  })
})

const CUT_MS = 20_000
