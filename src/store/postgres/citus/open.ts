/** The parts of the Store that differ on a Citus cluster. */
import { BUCKETS, bucketOf } from '../../../buckets.ts'
import type { Tiers } from '../../../ledger/tiers.ts'
import type { Run } from '../../methods.ts'
import { type Statement, sqlFor } from '../../sql.ts'
import { refund } from '../../verbs/refunds.ts'
import { type Tidied, tidy } from '../../verbs/tidy.ts'
import { readPlaces } from './cluster.ts'
import { sharding, within } from './sharding.ts'
import { openWorkers } from './workers.ts'

interface Settings {
  readonly tiers: Tiers
  /** Added to the clock of each worker; only tests set it. */
  readonly clockOffsetMs: () => number
  /** The coordinator's clock, for the verbs. */
  readonly clock: () => Statement
  timeOf(now: number): number
}

/**
 * @param url of the coordinator
 * @param run runs transactions on it
 */
export async function citus(url: string, run: Run, { clock, clockOffsetMs, tiers, timeOf }: Settings) {
  const workers = openWorkers(await readPlaces(url, run), { tiers, clockOffsetMs })
  return {
    sharding,
    buckets: BUCKETS,
    lookup: workers.lookup,
    commit: workers.commit,
    /** Bucket by bucket, each in a transaction of its own. */
    async tidy(options: { readonly auditRetentionMs: number | null }): Promise<Tidied | null> {
      let all: Tidied = { guests: 0, auditRows: 0, more: false }
      for (let bucket = 0; bucket < BUCKETS; bucket++) {
        const one = await run(() => tidy(sqlFor('postgres', clock, timeOf, within(bucket)), options))
        if (one === null) return null
        const { auditRows, guests, more } = all
        all = { guests: guests + one.guests, auditRows: auditRows + one.auditRows, more: more || one.more }
      }
      return all
    },
    /** Likewise, so that each commit has one phase, and a worker that fails delays no refunds of the others. */
    async refund(calls: Parameters<typeof refund>[1]): Promise<number> {
      const sql = sqlFor('postgres', clock, timeOf, sharding)
      let refunded = 0
      const failures: unknown[] = []
      for (const own of Map.groupBy(calls, ({ accountId }) => bucketOf(accountId)).values()) {
        const made = run(() => refund(sql, own))
        await made.then(
          (count) => {
            refunded += count
          },
          (error) => failures.push(error),
        )
      }
      // Those of this attempt are not made again at the next.
      if (failures.length > 0) throw failures[0]
      return refunded
    },
    close: workers.close,
  }
}
