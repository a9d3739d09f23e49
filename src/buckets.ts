/** Buckets of accounts: the unit by which a sharded database distributes them. An account's number tells its bucket. */

/** Fixed for ever: a sharded database places rows by it, and keys encode it. */
export const BUCKETS = 64

export const bucketOf = (accountId: number): number => accountId % BUCKETS
