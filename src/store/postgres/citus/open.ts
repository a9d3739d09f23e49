/** The parts of the Store that differ on a Citus cluster. */
import { BUCKETS } from '../../../buckets.ts'
import type { Entry } from '../../../ledger/types.ts'
import type { Run } from '../../methods.ts'
import { type Statement, sqlFor } from '../../sql.ts'
import { type Tidied, tidy } from '../../verbs/tidy.ts'
import type { Rules } from '../ledger.ts'
import { readPlaces } from './cluster.ts'
import { sharding, within } from './sharding.ts'
import { openWorkers } from './workers.ts'

/**
 * @param url of the coordinator
 * @param run runs transactions on it
 */
export async function citus(url: string, rules: () => Rules, clock: () => Statement, run: Run) {
  const workers = openWorkers(await readPlaces(url, run))
  return {
    sharding,
    buckets: BUCKETS,
    lookup: (hashes: readonly Uint8Array[], bucket: number) =>
      workers.lookup(hashes, bucket, rules().offsetMs),
    commit: (entries: readonly Entry[], again: boolean) => workers.commit(entries, again, rules()),
    /** Bucket by bucket, each in a transaction of its own. */
    async tidy(options: { readonly auditRetentionMs: number | null }): Promise<Tidied | null> {
      let all: Tidied = { guests: 0, auditRows: 0, more: false }
      for (let bucket = 0; bucket < BUCKETS; bucket++) {
        const one = await run(() => tidy(sqlFor('postgres', clock, within(bucket)), options))
        if (one === null) return null
        const { auditRows, guests, more } = all
        all = { guests: guests + one.guests, auditRows: auditRows + one.auditRows, more: more || one.more }
      }
      return all
    },
    close: () => workers.close(),
  }
}
