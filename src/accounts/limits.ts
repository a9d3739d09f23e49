/** How often what may be tried: per client address here and in the handlers' declarations, per e-mail address below. */
import { Failure } from '../errors.ts'
import type { Attempt, AttemptLimit, CodeTerms } from '../store/store.ts'
import type { Handler } from './handler.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const perIp = {
  register: { scope: 'ip register', limit: 300, windowMs: HOUR_MS },
  /** One counter for logins, codes and whatever sends them. */
  guesses: { scope: 'ip guesses', limit: 600, windowMs: 10 * MINUTE_MS },
} satisfies Record<string, Handler['perIp']>

export const ATTEMPTS_PER_CODE = 5
export const codeTerms: CodeTerms = { lifetimeMs: 10 * MINUTE_MS, pauseMs: MINUTE_MS }

/** Wrong codes from mails, whatever they are for and however many there are. */
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

export const mailLimit = (about: 'registration' | 'reset', subject: string): AttemptLimit => ({
  scope: `${about} mail`,
  subject,
  limit: 5,
  windowMs: HOUR_MS,
})

/** Throws Failure `too_many_attempts` where an attempt was refused. */
export function allowed<A extends Attempt>(attempt: A): A & { ok: true } {
  if (attempt.ok) return attempt as A & { ok: true }
  const retryAfterSeconds = Math.max(1, Math.ceil((attempt.retryAt - attempt.now) / 1_000))
  throw new Failure('too_many_attempts', `Too many wrong attempts; try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}
