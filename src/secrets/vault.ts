/** The vault: hashes and encrypts with keys derived from the master keys, one per purpose. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { MasterKey, MasterKeys } from './master-keys.ts'

/** A secret sealed under one of the master keys. */
export interface Sealed {
  readonly masterKeyId: string
  readonly sealed: Uint8Array
}

/** A keyed hash under one of the master keys. */
export interface StoredHash {
  readonly masterKeyId: string
  readonly hash: Uint8Array
}

/** Purposes of encryption. */
export type SealPurpose =
  | 'api key'
  | 'totp secret'
  | 'recovery code'
  | 'mail'
  | 'webhook'
  | 'check'
  | 'team key hash'
  | 'signing key'
  | 'sign-on'
  | 'export'
/** Purposes of keyed hashes. */
type MacPurpose = 'lookup' | 'one-time code' | 'reset code' | 'registration' | 'address'

/** An element of a list that is hashed or that binds a secret. Lists are encoded injectively: ("ab", "c") ≠ ("a", "bc"). */
export type BoundValue = string | number

export interface KeyedHash extends StoredHash {
  /** 32 bytes. */
  readonly hash: Buffer
}

export interface Vault {
  /** Keyed hashes of an API key, one per master key, that of the writing key first. Results are cached. */
  lookupHashes(apiKey: string): readonly KeyedHash[]
  /** Encrypts with the writing key. `associated` binds the secret to its row: `open` needs the same value. */
  seal(purpose: SealPurpose, plaintext: string, associated: readonly BoundValue[]): Sealed
  /** Throws VaultError. */
  open(purpose: SealPurpose, sealed: Sealed, associated: readonly BoundValue[]): string
  /** Keyed hash with the writing key. */
  mac(purpose: MacPurpose, ...parts: readonly BoundValue[]): KeyedHash
  /** Keyed hashes, one per master key, that of the writing key first. */
  macs(purpose: MacPurpose, ...parts: readonly BoundValue[]): readonly KeyedHash[]
  /** Whether a stored hash is that of these parts, compared in constant time; false if its master key is missing. */
  matches(storedHash: StoredHash, purpose: MacPurpose, ...parts: readonly BoundValue[]): boolean
  /** A text to store in the database, by which a later start checks that it has the right master key. */
  fingerprint(): string
  /** Whether a stored fingerprint was made with one of the current master keys. */
  check(fingerprint: string): boolean
}

/** `unknown_master_key`: the service does not have the key. `not_authentic`: damaged, or moved to another row. */
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
  const keyOf = (purpose: string, masterKeyId: string) =>
    keys(purpose).find(({ id }) => id === masterKeyId)?.key
  const macs = (purpose: MacPurpose, parts: readonly BoundValue[]): KeyedHash[] => {
    const message = encodeParts(parts)
    return keys(purpose).map(({ id, key }) => ({ masterKeyId: id, hash: hmac(key, message) }))
  }
  const seal = (purpose: SealPurpose, plaintext: string, associated: readonly BoundValue[]): Sealed => {
    const { id, key } = keys(purpose)[0]
    return { masterKeyId: id, sealed: encrypt(key, plaintext, encodeParts(associated)) }
  }
  const open = (
    purpose: SealPurpose,
    { masterKeyId, sealed }: Sealed,
    associated: readonly BoundValue[],
  ): string => {
    const key = keyOf(purpose, masterKeyId)
    if (key === undefined)
      throw new VaultError(
        'unknown_master_key',
        `The master key ${masterKeyId} is not among the current ones.`,
      )
    return decrypt(key, sealed, encodeParts(associated))
  }
  return {
    lookupHashes: cached(
      masterKeys.list,
      // An API key is a single text of fixed format, which needs no encoding.
      (apiKey) => keys('lookup').map(({ id, key }) => ({ masterKeyId: id, hash: hmac(key, apiKey) })),
    ),
    seal,
    open,
    mac: (purpose, ...parts) => macs(purpose, parts)[0],
    macs: (purpose, ...parts) => macs(purpose, parts),
    matches(storedHash, purpose, ...parts) {
      const key = keyOf(purpose, storedHash.masterKeyId)
      if (key === undefined || storedHash.hash.length !== HASH_BYTES) return false
      return timingSafeEqual(hmac(key, encodeParts(parts)), storedHash.hash)
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
  }
}

/** The keys of a purpose, that of the writing key first: HKDF-SHA-256 (RFC 5869) of each master key, the purpose as info. */
const derivedKeys = (masterKeys: MasterKeys) =>
  cached(masterKeys.list, (purpose) =>
    masterKeys.list().map((master) => ({ id: master.id, key: derive(master, purpose) })),
  )

const derive = (master: MasterKey, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', master.secret, '', `quantd v1 ${purpose}`, 32)))

const MAX_CACHED = 10_000

/** Caches the results of a function until the keys change. The hash of an API key takes a twentieth of the time of a small call. */
export function cached<Result>(
  currentKeys: () => unknown,
  make: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>()
  let keys = currentKeys()
  return (text) => {
    const present = currentKeys()
    if (present !== keys || known.size >= MAX_CACHED) known.clear()
    keys = present
    const found = known.get(text) ?? make(text)
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

/** Version, nonce, ciphertext, tag. Random 96-bit nonces are safe for 2³² messages per key (NIST SP 800-38D). */
function encrypt(key: KeyObject, plaintext: string, associated: Buffer): Buffer {
  const head = Buffer.concat([Buffer.of(VERSION), randomBytes(NONCE_BYTES)])
  const cipher = createCipheriv('aes-256-gcm', key, head.subarray(1))
  cipher.setAAD(Buffer.concat([head.subarray(0, 1), associated]))
  return Buffer.concat([head, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: KeyObject, sealed: Uint8Array, associated: Buffer): string {
  const refusal = () =>
    new VaultError('not_authentic', 'An encrypted value is damaged or belongs to another row.')
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

/** Encodes each part as type, length in bytes and text. */
function encodeParts(parts: readonly BoundValue[]): Buffer {
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
