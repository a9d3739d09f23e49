/** The vault: everything that is hashed or encrypted under the master keys, each purpose with a key of its own. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { Sealed } from '../store/store.ts'
import { derivedKeys } from './derived-keys.ts'
import type { MasterKeys } from './master-keys.ts'

/** What is encrypted. */
export type SealPurpose = 'api key' | 'totp secret' | 'recovery code' | 'mail' | 'check'
/** What is hashed with a key. */
export type MacPurpose = 'lookup' | 'one-time code' | 'reset code' | 'address'

/** Parts are joined so that no two lists give the same bytes: ("ab", "c") differs from ("a", "bc"). */
export type Part = string | number

export interface KeyedHash {
  readonly masterKeyId: string
  /** 32 bytes. */
  readonly hash: Buffer
}

export interface Vault {
  /** Keyed hashes of an API key, one per master key, that of the writing key first. */
  lookupHashes(apiKey: string): readonly KeyedHash[]
  /** Encrypts under the writing key; `associated` must be given again to open, and binds the secret to its row. */
  seal(purpose: SealPurpose, plaintext: string, associated: readonly Part[]): Sealed
  /** Throws VaultError. */
  open(purpose: SealPurpose, sealed: Sealed, associated: readonly Part[]): string
  /** The same secret under the writing key. Throws VaultError. */
  reseal(purpose: SealPurpose, sealed: Sealed, associated: readonly Part[]): Sealed
  /** Keyed hash under the writing key. */
  mac(purpose: MacPurpose, ...parts: readonly Part[]): KeyedHash
  /** The same under each master key, the writing one first. */
  macs(purpose: MacPurpose, ...parts: readonly Part[]): readonly KeyedHash[]
  /** Whether a kept hash is that of these parts, in constant time; false where its master key is gone. */
  matches(
    kept: Omit<KeyedHash, 'hash'> & { readonly hash: Uint8Array },
    purpose: MacPurpose,
    ...parts: readonly Part[]
  ): boolean
  /** A text for the database to keep, by which a later start sees that both belong together. */
  fingerprint(): string
  /** Whether a kept fingerprint was made under one of the present master keys. */
  check(fingerprint: string): boolean
  /** Whether what carries this id is under the writing key, so that it needs no re-wrapping. */
  isCurrent(masterKeyId: string): boolean
}

/** `unknown_master_key`: that key is not among the present ones. `not_authentic`: damaged, or put on another row. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly code: 'unknown_master_key' | 'not_authentic'

  constructor(code: VaultError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const CHECK = 'quantd'

export function openVault(masterKeys: MasterKeys): Vault {
  const keys = derivedKeys(masterKeys)
  const macs = (purpose: MacPurpose, parts: readonly Part[]): KeyedHash[] => {
    const message = encodeParts(parts)
    return keys.all(purpose).map(({ id, key }) => ({ masterKeyId: id, hash: hmac(key, message) }))
  }
  const seal = (purpose: SealPurpose, plaintext: string, associated: readonly Part[]): Sealed => {
    const { id, key } = keys.all(purpose)[0]
    return { masterKeyId: id, sealed: encrypt(key, plaintext, encodeParts(associated)) }
  }
  const open = (
    purpose: SealPurpose,
    { masterKeyId, sealed }: Sealed,
    associated: readonly Part[],
  ): string => {
    const key = keys.one(purpose, masterKeyId)
    if (key === null)
      throw new VaultError(
        'unknown_master_key',
        `The master key ${masterKeyId} is not among the present ones.`,
      )
    return decrypt(key, sealed, encodeParts(associated))
  }
  return {
    lookupHashes: remembered(
      () => keys.all('lookup'),
      // An API key is one text of a fixed form: it needs no encoding.
      (apiKey, lookupKeys) => lookupKeys.map(({ id, key }) => ({ masterKeyId: id, hash: hmac(key, apiKey) })),
    ),
    seal,
    open,
    reseal: (purpose, sealed, associated) => seal(purpose, open(purpose, sealed, associated), associated),
    mac: (purpose, ...parts) => macs(purpose, parts)[0],
    macs: (purpose, ...parts) => macs(purpose, parts),
    matches(kept, purpose, ...parts) {
      const key = keys.one(purpose, kept.masterKeyId)
      if (key === null || kept.hash.length !== HASH_BYTES) return false
      return timingSafeEqual(hmac(key, encodeParts(parts)), kept.hash)
    },
    fingerprint() {
      const { masterKeyId, sealed } = seal('check', CHECK, [])
      return `${masterKeyId}.${Buffer.from(sealed).toString('base64')}`
    },
    check(fingerprint) {
      const [masterKeyId, sealed = ''] = fingerprint.split('.')
      try {
        return open('check', { masterKeyId, sealed: Buffer.from(sealed, 'base64') }, []) === CHECK
      } catch (error) {
        if (error instanceof VaultError) return false
        throw error
      }
    },
    isCurrent: (masterKeyId) => masterKeys.list()[0].id === masterKeyId,
  }
}

const MOST_REMEMBERED = 10_000

/** Keeps the results of what runs on every request, as long as the keys it runs under stay the same. */
function remembered<Keys, Result>(
  currentKeys: () => Keys,
  make: (text: string, keys: Keys) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>()
  let keys = currentKeys()
  return (text) => {
    const present = currentKeys()
    if (present !== keys || known.size >= MOST_REMEMBERED) known.clear()
    keys = present
    const found = known.get(text) ?? make(text, keys)
    known.set(text, found)
    return found
  }
}

const HASH_BYTES = 32
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES

const hmac = (key: KeyObject, message: string | Buffer): Buffer =>
  createHmac('sha256', key).update(message).digest()

/** Version, nonce, ciphertext, tag. Random nonces of 96 bits serve 2³² messages under one key (NIST SP 800-38D). */
function encrypt(key: KeyObject, plaintext: string, associated: Buffer): Buffer {
  const head = Buffer.concat([Buffer.of(VERSION), randomBytes(NONCE_BYTES)])
  const cipher = createCipheriv('aes-256-gcm', key, head.subarray(1))
  cipher.setAAD(Buffer.concat([head.subarray(0, 1), associated]))
  return Buffer.concat([head, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: KeyObject, sealed: Uint8Array, associated: Buffer): string {
  const refusal = () =>
    new VaultError('not_authentic', 'A sealed value is damaged or is not the one of its row.')
  if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== VERSION) throw refusal()
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, HEAD_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.concat([sealed.subarray(0, 1), associated]))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return (
      decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    )
  } catch {
    throw refusal()
  }
}

/** Each part as its type, its length in bytes and its text. */
function encodeParts(parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const text = Buffer.from(String(part), 'utf8')
      const head = Buffer.alloc(5)
      head.write(typeof part === 'number' ? 'n' : 's', 'latin1')
      head.writeUInt32BE(text.length, 1)
      return [head, text]
    }),
  )
}
