/** Time-based one-time passwords, the second factor (RFC 6238: SHA-1, 6 digits, 30 seconds). */
import { timingSafeEqual } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

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
