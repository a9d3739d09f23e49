/** Codes that people type: from mails (one-time and reset codes) and from paper (recovery codes). */
import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import type { Sealed } from '../store/store.ts'
import type { KeyedHash, Part, Vault } from './vault.ts'

export const RECOVERY_CODES = 10

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const random12 = customAlphabet(BASE32, 12)

/** Six decimal digits; `below` gives a whole number from 0 up to but not including its argument. */
export const newOneTimeCode = (below: (limit: number) => number = randomInt): string =>
  String(below(1_000_000)).padStart(6, '0')

/** 12 characters of base32 (RFC 4648): 60 bits. */
export const newResetCode = (): string => random12()

/** Ten codes of 60 bits, in groups of four for the eye. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => random12().match(/.{4}/g)!.join('-'))

/** The six digits in what was typed, spaces and dashes aside; null: it is no such code. */
export function readDigits(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(code) ? code : null
}

/** The 12 characters in what was typed, in any case; 0 and 8, which base32 lacks, are read as O and B. */
export function readBase32(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toUpperCase().replaceAll('0', 'O').replaceAll('8', 'B')
  return /^[A-Z2-7]{12}$/.test(code) ? code : null
}

/** One kind of mailed code: how it is made, kept and checked. The owner is the row it belongs to. */
interface MailedCode {
  make(): string
  keep(vault: Vault, owner: Part, code: string): KeyedHash
  /** Whether what was typed is the kept code of that owner, compared in constant time. */
  matches(vault: Vault, owner: Part, kept: KeptHash, typed: string): boolean
}
type KeptHash = { readonly masterKeyId: string; readonly hash: Uint8Array }

export const oneTimeCode: MailedCode = mailedCode('one-time code', () => newOneTimeCode(), readDigits)
export const resetCode: MailedCode = mailedCode('reset code', newResetCode, readBase32)

function mailedCode(
  purpose: 'one-time code' | 'reset code',
  make: () => string,
  read: (typed: string) => string | null,
): MailedCode {
  return {
    make,
    keep: (vault, owner, code) => vault.mac(purpose, owner, code),
    matches(vault, owner, kept, typed) {
      const code = read(typed)
      return code !== null && vault.matches(kept, purpose, owner, code)
    },
  }
}

/**
 * A recovery code as it is kept: its hash, encrypted. The codes live for years and are not known to the service, so
 * a keyed hash would die with its master key; this can be wrapped again under a new one (`vault.reseal`).
 */
export function keepRecoveryCode(vault: Vault, account: Part, code: string): Sealed {
  return vault.seal('recovery code', recoveryHash(code).toString('base64'), [account])
}

export function recoveryCodeMatches(vault: Vault, account: Part, kept: Sealed, typed: string): boolean {
  const code = readBase32(typed)
  if (code === null) return false
  return timingSafeEqual(
    recoveryHash(code),
    Buffer.from(vault.open('recovery code', kept, [account]), 'base64'),
  )
}

const recoveryHash = (code: string): Buffer => hash('sha256', code.replaceAll('-', ''), 'buffer')
