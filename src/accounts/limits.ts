/** Limits on attempts: per client address and per e-mail address. */
import { Failure, retryAfterSeconds } from '../errors.ts'
import type { Attempt, AttemptLimit, CodeTerms } from '../store/store.ts'
import type { IpLimit } from './handler.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const perIp = {
  guest: { scope: 'ip guest', limit: 1_000, windowMs: HOUR_MS },
  register: { scope: 'ip register', limit: 300, windowMs: HOUR_MS },
  /** One counter for logins, mailed codes and the endpoints that send them. */
  guesses: { scope: 'ip guesses', limit: 600, windowMs: 10 * MINUTE_MS },
} satisfies Record<string, IpLimit>

export const ATTEMPTS_PER_CODE = 5
export const codeTerms: CodeTerms = { lifetimeMs: 10 * MINUTE_MS, pauseMs: MINUTE_MS }

/** Wrong guesses at all mailed codes of an address together. */
export const codeLimit = (subject: string): AttemptLimit => ({
  scope: 'mailed code',
  subject,
  limit: 20,
  windowMs: HOUR_MS,
})

export const passwordLimits = (subject: string, ip: string): AttemptLimit[] => [
  { scope: 'password from', subject: `${subject} ${ip}`, limit: 10, windowMs: 15 * MINUTE_MS },
  { scope: 'password', subject, limit: 100, windowMs: HOUR_MS },
]

/** TOTP and recovery codes together. */
export const secondFactorLimit = (subject: string): AttemptLimit => ({
  scope: 'second factor',
  subject,
  limit: 10,
  windowMs: 15 * MINUTE_MS,
})

export const mailLimit = (purpose: 'registration' | 'reset', subject: string): AttemptLimit => ({
  scope: `${purpose} mail`,
  subject,
  limit: 5,
  windowMs: HOUR_MS,
})

/** Throws Failure `too_many_attempts` if the attempt was refused. */
export function allowed<A extends Attempt>(attempt: A): A & { ok: true } {
  if (attempt.ok) return attempt as A & { ok: true }
  const seconds = retryAfterSeconds(attempt.retryAt, attempt.now)
  throw new Failure('too_many_attempts', `Too many wrong attempts; try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  })
}
