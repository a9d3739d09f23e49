/** Schemas of the fields in requests and replies of the operators' interface. */
import Type from 'typebox'
import type { AccountReference } from '../../accounts/account.ts'
import { addressOf } from '../../accounts/address.ts'
import { nullable, whole } from '../../accounts/fields.ts'
import { OPERATOR_REASON_CHARACTERS } from '../../limits/operation.ts'
import { EMAIL_CHARACTERS } from '../../limits.ts'

/** PostgreSQL stores no character U+0000. */
export const STORABLE = '^[^\\u0000]*$'

export const account = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: EMAIL_CHARACTERS.most, pattern: STORABLE }),
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  ],
  { description: 'e-mail address or number of the account' },
)
export const accountId = whole('number of the account')
export const reason = Type.Optional(
  Type.String({
    description: 'why, for the audit',
    minLength: 1,
    maxLength: OPERATOR_REASON_CHARACTERS,
    pattern: STORABLE,
  }),
)
/** An account by its number or by its address. */
export const whoOf = (named: string | number): AccountReference =>
  /^[1-9]\d{0,14}$/.test(String(named)) ? { accountId: Number(named) } : { address: addressOf(String(named)) }

export const orNull = (description: string) => nullable(Type.String(), description)

export const shownAccount = Type.Object({
  account_id: accountId,
  email: orNull('e-mail address; null for a guest'),
  username: orNull('username'),
  full_name: orNull('full name'),
  account_type: Type.String({ description: 'account type, guest included' }),
  credits: Type.Number({ description: 'balance' }),
  granted: Type.Optional(Type.Number({ description: 'sum of grants and transfers' })),
  spent: Type.Optional(Type.Number({ description: 'sum of charges less refunds' })),
  api_key_status: orNull('state of its own key; null: it has none'),
  api_key_created_at: orNull('when its own key was created'),
  limits: Type.Object(
    {
      hour: Type.Number(),
      day: Type.Union([Type.Number(), Type.Null()]),
      own_hour: Type.Union([Type.Number(), Type.Null()]),
      own_day: Type.Union([Type.Number(), Type.Null()]),
    },
    { description: 'computations an hour and a day, and those that were set for this account' },
  ),
  low_credits: nullable(
    Type.Number(),
    'its own threshold of the event credits.low; null: that of the service',
  ),
  mfa_enabled: Type.Boolean({ description: 'whether the second factor is on' }),
  created_at: orNull('when it was created'),
  verified_at: orNull('when its address was confirmed'),
  expires_at: orNull('end of a guest account'),
  linked_to: nullable(Type.Integer(), 'the account that took this guest over'),
})

export const EXAMPLE_ACCOUNT = {
  account_id: 17,
  email: 'ada@example.org',
  username: 'ada',
  full_name: 'Ada Lovelace',
  account_type: 'free',
  credits: 349,
  api_key_status: 'active',
  api_key_created_at: '2026-01-01T12:00:00.000Z',
  limits: { hour: 500, day: null, own_hour: null, own_day: null },
  low_credits: null,
  mfa_enabled: false,
  created_at: '2026-01-01T12:00:00.000Z',
  verified_at: '2026-01-01T12:00:00.000Z',
  expires_at: null,
  linked_to: null,
}
