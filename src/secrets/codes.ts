/** Codes that people type: one-time and reset codes from mails, recovery codes, and those of an authenticator app (TOTP, RFC 6238). */
import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import { Secret, TOTP } from 'otpauth'
import { RECOVERY_CODES } from '../base/limits/callers.ts'
import { BASE62 } from './keys.ts'
import type { BoundValue, KeyedHash, Sealed, StoredHash, Vault } from './vault.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const random12 = customAlphabet(BASE32, 12)

/** Six decimal digits; `below(limit)` returns a random integer in [0, limit). */
export const newOneTimeCode = (below: (limit: number) => number = randomInt): string =>
  String(below(1_000_000)).padStart(6, '0')

/** 12 characters of base32 (RFC 4648): 60 bits. */
export const newResetCode = (): string => random12()

/** Ten codes of 60 bits, in groups of four characters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => random12().match(/.{4}/g)!.join('-'))

/** Returned by a registration, to be sent along with the code: 43 characters of base62, 256 bits. */
export const newRegistrationToken = customAlphabet(BASE62, 43)

/** The six digits that were typed, without spaces and dashes; null: it is not a code of six digits. */
export function readDigits(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(code) ? code : null
}

/** The 12 base32 characters that were typed, in any case; 0 and 8, which base32 lacks, are read as O and B. */
export function readBase32(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toUpperCase().replaceAll('0', 'O').replaceAll('8', 'B')
  return /^[A-Z2-7]{12}$/.test(code) ? code : null
}

/** One kind of mailed code. `owner` is the row that a code belongs to. */
interface CodeKind {
  make(): string
  keep(vault: Vault, owner: BoundValue, code: string): KeyedHash
  /** Whether the typed code is the stored code of that owner, compared in constant time. */
  matches(vault: Vault, owner: BoundValue, storedHash: StoredHash, typed: string): boolean
}

/** A mailed code as it is stored; `uid` is what its hash is bound to. */
export interface MailedCode {
  readonly uid: string
  readonly storedHash: StoredHash
}

export const oneTimeCode: CodeKind = mailedCode('one-time code', () => newOneTimeCode(), readDigits)
export const resetCode: CodeKind = mailedCode('reset code', newResetCode, readBase32)

function mailedCode(
  purpose: 'one-time code' | 'reset code',
  make: () => string,
  read: (typed: string) => string | null,
): CodeKind {
  return {
    make,
    keep: (vault, owner, code) => vault.mac(purpose, owner, code),
    matches(vault, owner, storedHash, typed) {
      const code = read(typed)
      return code !== null && vault.matches(storedHash, purpose, owner, code)
    },
  }
}

/**
 * The hash of a recovery code, encrypted. Recovery codes stay valid for years. A keyed hash could not be moved to a new
 * master key, since the service does not know the code; the encrypted hash can.
 */
export function keepRecoveryCode(vault: Vault, account: BoundValue, code: string): Sealed {
  return vault.seal('recovery code', recoveryHash(code).toString('base64'), [account])
}

export function recoveryCodeMatches(
  vault: Vault,
  account: BoundValue,
  sealed: Sealed,
  typed: string,
): boolean {
  const code = readBase32(typed)
  if (code === null) return false
  return timingSafeEqual(
    recoveryHash(code),
    Buffer.from(vault.open('recovery code', sealed, [account]), 'base64'),
  )
}

const recoveryHash = (code: string): Buffer => hash('sha256', code.replaceAll('-', ''), 'buffer')

const TOTP_STEP_MS = 30_000

const FORM = { algorithm: 'SHA1', digits: 6, period: TOTP_STEP_MS / 1_000 }
/** Tolerated clock drift of the authenticator, in steps (RFC 6238, section 5.2, recommends one). */
const DRIFT_STEPS = 1

/** A new secret of 160 bits (RFC 4226, section 4), in base32 without padding. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The otpauth:// URL that an authenticator app reads from a QR code. */
export const otpauthUrl = (of: { issuer: string; account: string; secret: string }): string =>
  new TOTP({ ...FORM, issuer: of.issuer, label: of.account, secret: of.secret }).toString()

/**
 * The step (number of 30-second periods since 1970) that this code belongs to, at most one step from now; null: none.
 * Callers must accept a step only if it is later than the last accepted one, so that a code works once.
 */
export function matchingStep(secret: string, code: string, nowMs: number): number | null {
  const typed = Buffer.from(code, 'utf8')
  const now = Math.floor(nowMs / TOTP_STEP_MS)
  const key = Secret.fromBase32(secret)
  let found: number | null = null
  for (let step = Math.max(0, now - DRIFT_STEPS); step <= now + DRIFT_STEPS; step++) {
    const right = Buffer.from(TOTP.generate({ ...FORM, secret: key, timestamp: step * TOTP_STEP_MS }))
    if (typed.length === right.length && timingSafeEqual(typed, right)) found = step
  }
  return found
}
