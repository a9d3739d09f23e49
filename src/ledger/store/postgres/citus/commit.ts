/**
 * The statements of a group commit on a server of a Citus cluster: those of one PostgreSQL, for each shard that has accounts of
 * the group, on the shard itself. All are in one transaction of that server.
 */
import type { Entry } from '../../../rules/types.ts'
import { beginOf, type GroupStatements, type Query } from '../commit.ts'
import { IN_PLACE } from './cluster.ts'
import type { Shard } from './places.ts'

/** @param shards of one server that have accounts of the group, in the order of their ids, in which every writer locks */
export const inShards = (
  shards: readonly Shard[],
  shardOf: (accountId: number) => Shard | undefined,
): GroupStatements => ({
  reads(group, known) {
    const ofShards = Map.groupBy(group.entries, ({ call }: Entry) => shardOf(call.accountId))
    const reads = shards.map((shard) =>
      shard.statements.reads({ ...group, entries: ofShards.get(shard)! }, known),
    )
    return {
      begin: [...beginOf(group.entries), heldInPlace(shards)],
      accounts: reads.flatMap(({ accounts }) => accounts),
      keys: reads.flatMap(({ keys }) => keys),
      teamKeys: reads.flatMap(({ teamKeys }) => teamKeys),
      bindings: reads.flatMap(({ bindings }) => bindings),
      written: reads.flatMap(({ written }) => written),
      salts: reads.flatMap(({ salts }) => salts),
    }
  },
  lots: (accountIds) =>
    [...Map.groupBy(accountIds, (id) => shardOf(id)!)].flatMap(([shard, ids]) => shard.statements.lots(ids)),
  writes: (writes) =>
    shards.flatMap((shard) => {
      const isOwn = ({ accountId }: { readonly accountId: number | null }) => shardOf(accountId!) === shard
      return shard.statements.writes({
        accounts: writes.accounts.filter(({ id }) => shardOf(id) === shard),
        teamKeys: writes.teamKeys.filter(isOwn),
        lots: writes.lots.filter(isOwn),
        expired: writes.expired.filter(isOwn),
        audit: writes.audit.filter(isOwn),
        groups: writes.groups.filter(isOwn),
        salts: writes.salts.filter(([accountId]) => isOwn({ accountId })),
        bindings: writes.bindings.filter(isOwn),
        refusals: writes.refusals.filter(isOwn),
        events: writes.events.filter(isOwn),
      })
    }),
})

/**
 * Takes the lock that the switch-over of a move takes, too: either waits for the other. The statements that read the keys have
 * later snapshots and return whether the shards are on this server; the lock keeps that true until the transaction ends.
 */
const heldInPlace = (shards: readonly Shard[]): Query => ({
  name: 'hold in place',
  text: `SELECT lock_shard_metadata(${IN_PLACE}, $1::bigint[])`,
  values: [shards.map(({ id }) => id)],
})
