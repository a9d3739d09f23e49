/** Journals that a process left behind: refunded, then removed, also that of another name. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  FORMER_JOURNAL,
  openRefundJournal,
  REFUND_JOURNAL,
} from '../../../src/ledger/metering/refund-journal.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const line = (auditId: string): string => `\n${JSON.stringify({ auditId, accountId: 1 })}`

test('a journal that is adopted is refunded with the own one, and both are removed', async () => {
  const folder = temporaryFolder('journal')
  for (const [name, auditId] of [
    [REFUND_JOURNAL, 'own'],
    [FORMER_JOURNAL, 'former'],
  ] as const)
    writeFileSync(join(folder, name), line(auditId))
  writeFileSync(join(folder, 'quantd.db'), '')
  const refunded: string[] = []
  const refund = async (calls: readonly { auditId: string }[]) => {
    refunded.push(...calls.map(({ auditId }) => auditId))
    return calls.length
  }
  const journal = openRefundJournal(join(folder, REFUND_JOURNAL), refund, () => undefined)
  try {
    journal.adopt(join(folder, FORMER_JOURNAL))
    await until(() => journal.size === 0, 'the refunds were made')
    assert.deepEqual(refunded.sort(), ['former', 'own'])
    assert.deepEqual(readdirSync(folder), ['quantd.db'])
  } finally {
    journal.close()
  }
})

for (const [when, isClosed] of [
  ['while the database is away', false],
  ['when it is closed', true],
] as const)
  test(`a journal that the disk did not take is written ${when}`, async () => {
    const folder = temporaryFolder('journal')
    const [place, reported] = [join(folder, 'data'), [] as object[]]
    const file = join(place, REFUND_JOURNAL)
    writeFileSync(place, 'no folder')
    const refund = async () => {
      throw new Error('the database is away')
    }
    const journal = openRefundJournal(file, refund, (_, facts) => reported.push(facts))
    try {
      journal.add([{ auditId: 'own', accountId: 1 }])
      assert.equal(reported.length, 1)
      rmSync(place)
      if (isClosed) journal.close()
      else await until(() => existsSync(file), 'the journal was written')
      assert.equal(readFileSync(file, 'utf8'), line('own'))
      assert.equal(reported.length, 1)
    } finally {
      journal.close()
    }
  })

test('a closed journal makes no further attempt, also if one was in progress', async () => {
  const folder = temporaryFolder('journal')
  const file = join(folder, REFUND_JOURNAL)
  writeFileSync(file, line('own'))
  let attempts = 0
  const inProgress = Promise.withResolvers<number>()
  const refund = (): Promise<number> => {
    attempts += 1
    return inProgress.promise
  }
  const journal = openRefundJournal(file, refund, () => undefined)
  await until(() => attempts === 1, 'the first attempt')
  journal.close()
  inProgress.reject(new Error('the database is closed'))
  await sleep(1_000)
  assert.equal(attempts, 1)
})

test('a journal without a whole line is removed at the start', () => {
  const folder = temporaryFolder('journal')
  const file = join(folder, REFUND_JOURNAL)
  for (const content of ['', '\n{"auditId":"cut']) {
    writeFileSync(file, content)
    openRefundJournal(
      file,
      async () => 0,
      () => undefined,
    ).close()
    assert.deepEqual(readdirSync(folder), [])
  }
})
