/** The failures of an API key, with the messages that the specification fixes. */
import { accountUnverified, guestKeyExpired, keyInvalid } from '../../base/errors/requests.ts'
import type { Failure, FailureCode } from '../../base/failure.ts'

/** @param code of the ledger or the lookup; codes without a message of their own stand for an invalid key */
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

/** The failure of a text that has not the format of a key. The message is fixed, so the hint is in the details. */
export function malformedKey(apiKey: string): Failure {
  const hint = /^bearer\b/i.test(apiKey)
    ? 'the X-API-Key header must hold the key alone, without "Bearer"'
    : 'what was sent does not have the format of a key'
  return keyInvalid(hint)
}
