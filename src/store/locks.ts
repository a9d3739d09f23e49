/** The advisory locks of a PostgreSQL database. */

/** Nodes that start together migrate one after the other. */
export const MIGRATION_LOCK = 7_140_950
/** One node at a time deletes expired rows (main/tidy.ts). */
export const TIDY_LOCK = 7_140_951
/** One node at a time changes the partitions of the audit. */
export const PARTITIONS_LOCK = 7_140_952
/** One node at a time queues the deliveries of events. */
export const WEBHOOK_LOCK = 7_140_953
/** One node at a time makes a checkpoint of the audit. */
export const CHECKPOINT_LOCK = 7_140_954
/** Seed of the hashes of 64 bits by which e-mail addresses are locked. */
export const ADDRESS_SEED = 7_140_952
