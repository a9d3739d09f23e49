/** How statements reach the shards of a Citus cluster. */
import type { Sharding } from '../../sql.ts'
import { bucketed } from './bucketed.ts'
import { ACCOUNT_TABLES } from './tables.ts'

const shardingOf = (only: number | null): Sharding => ({
  plugin: bucketed(only),
  only,
  isDistributed: (table) => ACCOUNT_TABLES.some(({ name }) => name === table),
})

export const sharding: Sharding = shardingOf(null)

/** Every statement on a distributed table is limited to the bucket. */
export const within = (bucket: number): Sharding => shardingOf(bucket)
