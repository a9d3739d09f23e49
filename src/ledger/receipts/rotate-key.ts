/** Replaces the key that signs checkpoints. */

import { DAY_MS } from '../../base/time.ts'
import type { Vault } from '../../secrets/vault.ts'
import { type EventOrigin, writeEvent } from '../store/audit.ts'
import type { Sql, Transaction } from '../store/sql.ts'
import { makeCheckpoint } from './make-checkpoint.ts'
import { keyId, newSigningKey } from './signing-keys.ts'

interface KeyRotation {
  readonly vault: Vault
  readonly retentionDays: number | null
  readonly event: EventOrigin
}

/** The present key signs a last checkpoint, which names the new key; the new key signs it, too. */
export function* rotateSigningKey(
  sql: Sql,
  { event, retentionDays, vault }: KeyRotation,
): Transaction<{ readonly key: string; readonly number: number }> {
  const rotateTo = newSigningKey(vault)
  const key = keyId(rotateTo.publicKey)
  const at = yield* sql.clock()
  yield* writeEvent(sql, event, {
    at,
    accountId: null,
    keyId: null,
    name: 'signing_key_rotated',
    facts: { key },
  })
  const retentionMs = retentionDays === null ? null : retentionDays * DAY_MS
  const made = yield* makeCheckpoint(sql, { vault, retentionMs, eventStream: null, rotateTo })
  return { key, number: made!.checkpoint!.checkpoint.number }
}
