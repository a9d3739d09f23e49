/** Salts of client addresses: one for each account and address, so that a row costs no further hash. */
import { randomFillSync } from 'node:crypto'
import { addressDigest } from './leaf.ts'

const SALT_BYTES = 12
/** Pairs of account and address that are remembered. */
const REMEMBERED = 10_000

export interface SaltedAddress {
  /** Hexadecimal; kept as long as the address, and erased with it. */
  readonly salt: string
  readonly digest: string
}

export function addressSalts(): (accountId: number | null, ip: string) => SaltedAddress {
  const known = new Map<string, SaltedAddress>()
  return (accountId, ip) => {
    const name = `${accountId} ${ip}`
    const found = known.get(name)
    if (found !== undefined) return found
    const salt = randomFillSync(Buffer.alloc(SALT_BYTES)).toString('hex')
    const salted = { salt, digest: addressDigest(salt, ip) }
    if (known.size >= REMEMBERED) known.clear()
    known.set(name, salted)
    return salted
  }
}
