/** The failures of an API key, with the messages that the specification fixes. */
import { EXPIRED_GUEST_KEY, Failure, type FailureCode, INVALID_KEY, messages } from '../errors.ts'

/** The failure for a code that the ledger or the lookup gave a key; any other code: the key is invalid. */
export function keyFailure(code: FailureCode): Failure {
  switch (code) {
    case 'account_unverified':
      return new Failure(code, messages.unverified)
    case 'guest_key_expired':
      return new Failure(code, EXPIRED_GUEST_KEY)
    default:
      return new Failure('api_key_invalid', INVALID_KEY)
  }
}

/** A key without the format of one; the message is fixed, so the hint is in the details. */
export function malformedKey(apiKey: string): Failure {
  const message = /^bearer\b/i.test(apiKey)
    ? 'the X-API-Key header must hold the key alone, without "Bearer"'
    : 'the X-API-Key header does not hold the format of a key'
  return new Failure('api_key_invalid', INVALID_KEY, { details: [{ path: '', message }] })
}
