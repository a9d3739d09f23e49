/** Secrets as they are stored: sealed under a master key where they must be read back, else as a keyed hash. */

/** A secret sealed under one of the master keys. */
export interface Sealed {
  readonly masterKeyId: string
  readonly sealed: Uint8Array
}

/** A new API key: found by its hash, shown again by opening the sealed key. */
export interface StoredKey extends Sealed {
  readonly uid: string
  readonly hash: Uint8Array
  /** The bucket that the key tells. A sharded database draws a new account's number for it; others ignore it. */
  readonly bucket: number
}

/** A keyed hash under one of the master keys. */
export interface KeptHash {
  readonly masterKeyId: string
  readonly hash: Uint8Array
}

/** A mail to be put into the outbox. */
export interface NewMail extends Sealed {
  readonly id: string
  readonly to: string
}
