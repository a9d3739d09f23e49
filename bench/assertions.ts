/** Measures the assertions of the ledger beside the decision and the commit that they check, in alternation. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SPECIFIED_PLAN } from '../src/base/limits/callers.ts'
import { assertFollows, newStream, prove } from '../src/ledger/proofs/group.ts'
import { assertSound } from '../src/ledger/rules/assertions.ts'
import { decide } from '../src/ledger/rules/decide.ts'
import type { Entry, LedgerSnapshot } from '../src/ledger/rules/types.ts'
import { openSqlite } from '../src/ledger/store/sqlite/open.ts'
import { account, success } from '../test/support/ledger-in-memory.ts'
import { sqliteSql } from '../test/support/plain-sql.ts'
import { accountsOf } from './payers.ts'
import { median } from './record.ts'
import { callOf, type Payer } from './settlements.ts'

const SIZES = [1, 8, 64]
const ROUNDS = 60
/** Runs of the pure functions in a round, because one is too short for the clock. */
const REPEATED = 200

const groupOf = (payers: readonly Payer[], size: number): Entry[] =>
  Array.from({ length: size }, (_, index) => ({
    step: 'admitAndSettle',
    call: callOf(payers[index % payers.length]),
    outcome: success,
  }))

const snapshotFor = (payers: readonly Payer[]): LedgerSnapshot => ({
  now: Date.now(),
  epoch: 'bench',
  isRepeated: false,
  ...SPECIFIED_PLAN,
  accounts: new Map(
    payers.map(({ accountId: id }) => [id, account({ id, balance: 1e9, hourLimit: 1e9, dayLimit: 1e9 })]),
  ),
  keys: new Map(payers.map(({ accountId, keyId: id }) => [id, { id, accountId, status: 'active' }])),
  teamKeys: new Map(),
  lineageKeys: new Map(),
  lots: new Map(),
  bindings: new Map(),
  written: new Map(),
})

function microseconds(times: number, work: () => void): number {
  const startedAt = performance.now()
  for (let i = 0; i < times; i++) work()
  return (1_000 * (performance.now() - startedAt)) / times
}

const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
const file = join(folder, 'quantd.db')
const store = openSqlite({ file })
const sql = sqliteSql(file)
const payers = await accountsOf(store, sql)
const snapshot = snapshotFor(payers)
const stream = newStream({ id: 1, openedAt: Date.now(), version: 'bench' })
for (const size of SIZES) {
  const times: Record<'asserted' | 'decided' | 'committed', number[]> = {
    asserted: [],
    decided: [],
    committed: [],
  }
  for (let round = 0; round < ROUNDS; round++) {
    const entries = groupOf(payers, size)
    const { writes } = decide(snapshot, entries)
    const proven = prove(stream, writes.audit)
    times.decided.push(microseconds(REPEATED, () => decide(snapshot, entries)))
    times.asserted.push(
      microseconds(REPEATED, () => {
        assertSound(snapshot, entries, writes)
        assertFollows(stream, writes.audit, proven)
      }),
    )
    const { user } = process.cpuUsage()
    await store.commit({ entries })
    times.committed.push(process.cpuUsage().user - user)
  }
  const [asserted, decided, committed] = [times.asserted, times.decided, times.committed].map(
    (each) => median(each.slice(ROUNDS / 3)) / size,
  )
  console.log(
    `${size} entries a group: assertions ${asserted.toFixed(2)} µs an entry, decide ${decided.toFixed(2)}, commit ${committed.toFixed(0)}: ${((100 * asserted) / committed).toFixed(2)} % of the commit`,
  )
}
await sql.close()
await store.close()
rmSync(folder, { recursive: true, force: true })
