/** The message of each failure code for the reference: made by the templates that the service sends, where it has one. */
import { EXPIRED_GUEST_KEY, type FailureCode, INVALID_KEY, messages } from '../errors.ts'

const NO_KEY = 'no key was sent; send it in the X-API-Key header'
const PRICE = '/quantlib/pricing/bs/price'

const examples: Readonly<Record<FailureCode, string>> = {
  request_timeout: messages.requestTimeout,
  headers_too_large: messages.headersTooLarge,
  not_implemented: messages.transferCoding,
  route_not_found: messages.noSuchPath(`${PRICE}s`, PRICE),
  method_not_allowed: messages.noSuchMethod(PRICE, ['POST'], 'GET'),
  api_key_missing: messages.keyMissing(NO_KEY),
  api_key_invalid: INVALID_KEY,
  account_unverified: messages.unverified,
  guest_key_expired: EXPIRED_GUEST_KEY,
  guest_forbidden: messages.guestForbidden,
  closed: messages.registrationClosed,
  body_too_large: messages.tooLarge(16_777_216),
  unsupported_media_type: messages.notJson,
  rate_limited: messages.rateLimited(60, 'requests', 'hour', 1_800),
  credits_exhausted: messages.tooFewCredits({ cost: 1, balance: 0, isGuest: true }),
  invalid_json: messages.invalidJson('}', 3, 1),
  invalid_input: messages.invalidField('volatility', 'must be a number'),
  idempotency_conflict: messages.idempotencyConflict,
  invalid_credentials: 'The e-mail address or the password is wrong.',
  otp_invalid: 'The code is wrong, already used or expired; request a new one.',
  mfa_required: 'This account has a second factor; send its code as mfa_code.',
  mfa_invalid: 'The code of the second factor is wrong, already used or expired.',
  key_suspended: 'The key of this account is suspended; ask the operator of the service.',
  conflict: 'The second factor is already on; switch it off first.',
  too_many_attempts: messages.tooManyAttempts(900),
  overloaded: 'Too many heavy computations are waiting; try again shortly.',
  unavailable: messages.databaseAway,
  internal: messages.internal,
}

export const failureMessages: Readonly<Record<string, string>> = examples

/** Examples of `details`, for the codes where they help. */
export const failureDetails: Readonly<Record<string, readonly { path: string; message: string }[]>> = {
  api_key_missing: [{ path: '', message: NO_KEY }],
  invalid_input: [{ path: '/volatility', message: 'must be a number' }],
}
