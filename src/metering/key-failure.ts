/** The failures of an API key, with the messages that the specification fixes. */
import { accountUnverified, guestKeyExpired, keyInvalid } from '../errors.ts'
import type { Failure, FailureCode } from '../failure.ts'

/** The failure for a code that the ledger or the lookup gave a key; any other code: the key is invalid. */
export function keyFailure(code: FailureCode): Failure {
  switch (code) {
    case 'account_unverified':
      return accountUnverified()
    case 'guest_key_expired':
      return guestKeyExpired()
    default:
      return keyInvalid()
  }
}

/** A key without the format of one; the message is fixed, so the hint is in the details. */
export function malformedKey(apiKey: string): Failure {
  const hint = /^bearer\b/i.test(apiKey)
    ? 'the X-API-Key header must hold the key alone, without "Bearer"'
    : 'the X-API-Key header does not hold the format of a key'
  return keyInvalid(hint)
}
