/** An example of the message each failure carries; those of the first group are fixed to the letter. */
export const failureMessages: Readonly<Record<string, string>> = {
  api_key_missing: 'Invalid or expired API key',
  api_key_invalid: 'Invalid or expired API key',
  guest_key_expired: 'Guest API key has expired',

  route_not_found: 'There is nothing at this path; see /docs for what there is.',
  method_not_allowed: 'This path takes POST only.',
  account_unverified: 'The account of this key is not verified yet; confirm it with the code from the mail.',
  guest_forbidden: 'This needs a registered account; register at /user/register.',
  body_too_large: 'The body is over 16777216 bytes; send less at once.',
  unsupported_media_type: 'Send the body as application/json.',
  rate_limited: 'The limit of 60 requests an hour is used up; try again when the window ends.',
  credits_exhausted: 'This call costs 1 credit and the balance is 0.',
  invalid_json: 'The body is not valid JSON: unexpected "}" at line 3, column 1.',
  invalid_input: 'volatility must be a number.',
  idempotency_conflict: 'This Idempotency-Key was used for a different request; choose a new one.',
  invalid_credentials: 'The e-mail address or the password is wrong.',
  otp_invalid: 'The code is wrong, already used or expired; request a new one.',
  mfa_required: 'This account has a second factor; send its code as mfa_code.',
  mfa_invalid: 'The code of the second factor is wrong, already used or expired.',
  key_suspended: 'The key of this account is suspended; ask the operator of the service.',
  conflict: 'The second factor is already on; switch it off first.',
  too_many_attempts: 'Too many wrong attempts; wait before the next one.',
  overloaded: 'The service is busy; try again shortly.',
  unavailable: 'A part that the service needs is away; try again shortly.',
  internal: 'Something went wrong here; it is logged under the request id.',
}

/** Where it helps to see them: examples of what `details` points at. */
export const failureDetails: Readonly<Record<string, readonly { path: string; message: string }[]>> = {
  api_key_missing: [{ path: '', message: 'send your API key in the X-API-Key header' }],
  invalid_input: [{ path: '/volatility', message: 'must be a number' }],
}
