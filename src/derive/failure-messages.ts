/** The message and the reply of each failure code for the documents: made by the functions that make those of the service. */
import * as accountErrors from '../base/errors/accounts.ts'
import * as signOnErrors from '../base/errors/accounts.ts'
import * as operatorErrors from '../base/errors/operator.ts'
import * as requestErrors from '../base/errors/requests.ts'
import type { Failure, FailureCode } from '../base/failure.ts'
import { replyHeaders } from './headers.ts'

const errors = { ...requestErrors, ...accountErrors, ...operatorErrors, ...signOnErrors }

const PRICE = '/quantlib/pricing/bs/price'

/** An example of each failure. */
const examples: Readonly<Record<FailureCode, Failure>> = {
  request_timeout: errors.requestTimeout(),
  headers_too_large: errors.headersTooLarge(),
  not_implemented: errors.unknownTransferCoding(),
  route_not_found: errors.noSuchPath(`${PRICE}s`, PRICE),
  method_not_allowed: errors.noSuchMethod(PRICE, ['POST'], 'GET'),
  api_key_missing: errors.keyMissing(null),
  api_key_invalid: errors.keyInvalid(),
  account_unverified: errors.accountUnverified(),
  guest_key_expired: errors.guestKeyExpired(),
  guest_forbidden: errors.guestForbidden(),
  key_forbidden: errors.keyForbidden(),
  closed: errors.registrationClosed(),
  body_too_large: errors.bodyTooLarge(16_777_216),
  unsupported_media_type: errors.notJson({}),
  rate_limited: errors.rateLimited({ counted: 'requests', limit: 60, window: 'hour' }, 1_800),
  credits_exhausted: errors.tooFewCredits({ cost: 1, balance: 0, isGuest: true }),
  key_cap_exhausted: errors.keyCapTooLow({ cost: 1, isAtLeast: false, left: 0, resetsAt: null }),
  invalid_json: errors.invalidJson('}', 3, 1),
  invalid_input: errors.invalidInput([{ path: '/volatility', message: 'must be a number' }]),
  idempotency_conflict: errors.idempotencyConflict(),
  token_invalid: errors.tokenInvalid(),
  sign_on_failed: errors.signOnRefused('id.example.org'),
  role_forbidden: errors.roleForbidden('viewer', 'admin'),
  second_person_needed: errors.secondPersonNeeded(12, '2026-01-02T12:00:00.000Z'),
  not_found: errors.noSuchTeamKey(),
  invalid_credentials: errors.wrongPassword(),
  otp_invalid: errors.wrongMailedCode(),
  mfa_required: errors.secondFactorNeeded(),
  mfa_invalid: errors.wrongSecondFactor(),
  key_suspended: errors.keySuspended(),
  conflict: errors.secondFactorAlreadyOn(),
  too_many_attempts: errors.tooManyWrongAttempts(900),
  overloaded: errors.tooManyTasks(),
  unavailable: errors.databaseAway(),
  internal: errors.internal(null),
}

export const failureMessages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(examples).map(([code, { message }]) => [code, message]),
)

/** An example of the whole reply. */
export function failureReply(code: string) {
  const { details, message, numbers } = examples[code as FailureCode]
  const error = { code, request_id: replyHeaders['X-Request-Id'].example }
  return { success: false, message, error: { ...error, ...(details.length > 0 && { details }), ...numbers } }
}
