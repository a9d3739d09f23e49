/** A checkpoint: what it says of each stream, and the hash by which the next one mentions it. */
import { leafHash } from '../proofs/hash.ts'
import { canonical } from '../receipt-check/canonical.ts'
import type { Signature } from './signing-keys.ts'

/** The groups of a stream that a checkpoint adds. */
export interface StreamEntry {
  /** Their numbers, both included. */
  readonly first: number
  readonly last: number
  /** The link of the last of them. */
  readonly head: string
  /** Of the tree whose leaves they are. */
  readonly root: string
  readonly stream: number
}

export interface Checkpoint {
  readonly at: number
  /** Rows from before may have been deleted by retention. */
  readonly kept_from: number
  /** The key that signs it. */
  readonly key: string
  /** At a rotation: the key that signs the next one, and this one too. */
  readonly next_key?: string
  /** From 1. */
  readonly number: number
  /** The leaf hash of the checkpoint before; null: there is none. */
  readonly previous: string | null
  /** Rows from before have no proof. */
  readonly proven_from: number
  /** Of the database. */
  readonly service: string
  readonly streams: readonly StreamEntry[]
}

export interface SignedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly signatures: readonly Signature[]
}

/** As the database keeps it: the checkpoint and its signatures as JSON. */
export interface KeptCheckpoint {
  readonly number: number
  readonly at: number
  readonly body: string
  readonly signatures: string
}

export const checkpointHash = (checkpoint: Checkpoint): string => leafHash(canonical(checkpoint))
