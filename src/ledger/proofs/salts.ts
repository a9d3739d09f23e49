/** Salts of client addresses, one for each account, so that rows need not hold them; and a cache of the digests. */
import { randomFillSync } from 'node:crypto'
import { addressDigest } from './leaf.ts'

export const SALT_BYTES = 16
/** The numbers of accounts of a stream, and of addresses of an account, that are cached. */
const MOST_ACCOUNTS = 10_000
const MOST_ADDRESSES = 100

export interface AddressSalt {
  /** Hexadecimal. */
  readonly salt: string
  /** By address. */
  readonly digests: Map<string, string>
}

/** By account; 0 stands for rows without one. */
export type Salts = ReadonlyMap<number, AddressSalt>

export const addressSalt = (salt: string): AddressSalt => ({ salt, digests: new Map() })

export const newSalt = (): AddressSalt =>
  addressSalt(randomFillSync(Buffer.alloc(SALT_BYTES)).toString('hex'))

/** Adds salts to a cache. Beyond its limit the oldest are removed, and will be read again. */
export function remember(salts: Map<number, AddressSalt>, added: Salts): void {
  for (const [accountId, salt] of added) salts.set(accountId, salt)
  for (const accountId of salts.keys()) {
    if (salts.size <= MOST_ACCOUNTS) return
    salts.delete(accountId)
  }
}

export function saltedAddress({ digests, salt }: AddressSalt, ip: string): string {
  const found = digests.get(ip)
  if (found !== undefined) return found
  if (digests.size >= MOST_ADDRESSES) digests.clear()
  const digest = addressDigest(salt, ip)
  digests.set(ip, digest)
  return digest
}
