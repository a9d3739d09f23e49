/** Salts of client addresses: one for each account, which a row need not hold, and digests that are remembered. */
import { randomFillSync } from 'node:crypto'
import { addressDigest } from './leaf.ts'

const SALT_BYTES = 16
/** Accounts of a stream, and pairs of salt and address, that are remembered. */
const REMEMBERED = 10_000

/** The salts of accounts, hexadecimal; 0: of rows without an account. */
export type Salts = ReadonlyMap<number, string>

export const newSalt = (): string => randomFillSync(Buffer.alloc(SALT_BYTES)).toString('hex')

/** The salts of both. */
export const moreSalts = (known: Salts, added: Salts): Salts =>
  added.size === 0 ? known : new Map([...(known.size < REMEMBERED ? known : []), ...added])

const digests = new Map<string, string>()

export function saltedAddress(salt: string, ip: string): string {
  const name = salt + ip
  const found = digests.get(name)
  if (found !== undefined) return found
  if (digests.size >= REMEMBERED) digests.clear()
  const digest = addressDigest(salt, ip)
  digests.set(name, digest)
  return digest
}
