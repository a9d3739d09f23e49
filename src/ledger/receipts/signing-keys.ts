/** The keys that sign checkpoints: Ed25519, the private half sealed under the master key. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { Sealed, Vault } from '../../secrets/vault.ts'
import { digest } from '../../wire/proofs/hash.ts'
import type { PublishedKey } from '../../wire/receipt-check/verify.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'

export const SIGNING_PURPOSE = 'signing key'

const ID_DIGITS = 16

export interface NewSigningKey extends Sealed {
  readonly uid: string
  /** 32 bytes, base64url. */
  readonly publicKey: string
}

export interface Signature {
  readonly key: string
  /** Base64url. */
  readonly signature: string
}

export const keyId = (publicKey: string): string =>
  digest(Buffer.from(publicKey, 'base64url')).slice(0, ID_DIGITS)

export function newSigningKey(vault: Pick<Vault, 'seal'>): NewSigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const uid = randomUUID()
  const text = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' }) as { x: string }
  return { uid, publicKey: x, ...vault.seal(SIGNING_PURPOSE, text, [uid]) }
}

/** Throws VaultError. */
export function signatureBy(
  vault: Pick<Vault, 'open'>,
  { masterKeyId, publicKey, sealed, uid }: NewSigningKey,
  text: string,
): Signature {
  const der = Buffer.from(vault.open(SIGNING_PURPOSE, { masterKeyId, sealed }, [uid]), 'base64')
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { key: keyId(publicKey), signature: sign(null, Buffer.from(text), key).toString('base64url') }
}

/** The key that signs now; null: there is none yet. */
export function* presentKey({
  db,
}: Sql): Transaction<(NewSigningKey & { id: number; createdAt: number }) | null> {
  const key = yield* first(
    db.selectFrom('signing_keys').selectAll().where('retired_at', 'is', null).orderBy('id', 'desc').limit(1),
  )
  if (key === undefined) return null
  const { created_at: createdAt, id, master_key_id: masterKeyId, public_key: publicKey, sealed, uid } = key
  return { id, createdAt, uid, publicKey, masterKeyId, sealed }
}

export function* addKey({ db }: Sql, key: NewSigningKey, createdAt: number): Transaction<void> {
  const { masterKeyId: master_key_id, publicKey: public_key, sealed, uid } = key
  yield* rows(
    db
      .insertInto('signing_keys')
      .values({ uid, public_key, created_at: createdAt, retired_at: null, master_key_id, sealed }),
  )
}

/** All present and former keys, the oldest first. */
export function* publishedKeys({
  db,
}: Sql): Transaction<(PublishedKey & { readonly algorithm: 'Ed25519' })[]> {
  const keys = yield* rows(
    db.selectFrom('signing_keys').select(['public_key', 'created_at', 'retired_at']).orderBy('id'),
  )
  return keys.map(({ created_at: from, public_key, retired_at: until }) => ({
    id: keyId(public_key),
    algorithm: 'Ed25519',
    public_key,
    from,
    until,
  }))
}
