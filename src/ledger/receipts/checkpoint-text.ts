/** The fields of a checkpoint, and the hash by which the next checkpoint names it. */
import { leafHash } from '../../wire/proofs/hash.ts'
import { canonical } from '../../wire/receipt-check/receipt-values.ts'
import type { Signature } from './signing-keys.ts'

/** The groups of a stream that a checkpoint adds. */
export interface StreamEntry {
  /** The numbers of the first and the last of these groups. */
  readonly first: number
  readonly last: number
  /** The link of the last group. */
  readonly head: string
  /** The root of the tree over the links of these groups. */
  readonly root: string
  readonly stream: number
}

export interface Checkpoint {
  /** Neither before the checkpoint before it, nor before a group that it adds. */
  readonly at: number
  /** The database's clock, if it was clearly behind `at`: it had been ahead, so the times of the groups are doubtful. */
  readonly clock?: number
  /** Rows from before may have been deleted by retention. */
  readonly kept_from: number
  /** The key that signs it. */
  readonly key: string
  /** At a rotation, the key that signs the next checkpoint, and also this one. */
  readonly next_key?: string
  /** Checkpoints are numbered from 1. */
  readonly number: number
  /** The leaf hash of the checkpoint before; null: this is the first. */
  readonly previous: string | null
  /** Rows from before have no proof. */
  readonly proven_from: number
  /** A random id of the database. */
  readonly service: string
  readonly streams: readonly StreamEntry[]
}

export interface SignedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly signatures: readonly Signature[]
}

/** A row of the database: the checkpoint and its signatures as JSON. */
export interface KeptCheckpoint {
  readonly number: number
  readonly at: number
  readonly body: string
  readonly signatures: string
}

export const checkpointHash = (checkpoint: Checkpoint): string => leafHash(canonical(checkpoint))

/** The time of the database's clock when the checkpoint was made. */
export const clockOf = ({ at, clock }: Checkpoint): number => clock ?? at
