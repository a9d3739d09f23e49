/** Schemas of the fields in requests and replies of the operators' interface, and the cursors of its pages. */
import { ACCOUNT_NUMBER, type AccountReference } from '../../accounts/account.ts'
import { addressOf } from '../../accounts/address.ts'
import { nullable, PRINTABLE, whole } from '../../accounts/field-schemas.ts'
import { cursorRefused } from '../../base/errors/requests.ts'
import { EMAIL_CHARACTERS } from '../../base/limits/callers.ts'
import { OPERATOR_PAGE, OPERATOR_REASON_CHARACTERS } from '../../base/limits/operation.ts'
import { Type } from '../../base/type.ts'
import { type Place, placeIn } from '../../ledger/store/page-cursors.ts'

export const account = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: EMAIL_CHARACTERS.most, pattern: PRINTABLE }),
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  ],
  { description: 'e-mail address or number of the account' },
)
export const accountId = whole('number of the account')
export const reason = Type.Optional(
  Type.String({
    title: 'Why',
    description: 'why, for the audit; printable characters',
    minLength: 1,
    maxLength: OPERATOR_REASON_CHARACTERS,
    pattern: PRINTABLE,
  }),
)
/** The account that a number or an e-mail address names. */
export const referenceOf = (named: string | number): AccountReference =>
  ACCOUNT_NUMBER.test(String(named)) ? { accountId: Number(named) } : { address: addressOf(String(named)) }

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
  debt: Type.Optional(Type.Number({ description: 'credits that it owes; absent: none' })),
  lots: Type.Optional(
    Type.Array(
      Type.Object({
        credits: whole('credits that are left'),
        expires_at: Type.String({ description: 'when they expire' }),
      }),
      { description: 'its credits that expire; absent: none do' },
    ),
  ),
  api_key_status: orNull('state of its own key; null: it has none'),
  api_key_created_at: orNull('when its own key was created'),
  api_key_start: orNull('first characters of its own key; null: they are not known'),
  limits: Type.Object(
    {
      hour: Type.Number(),
      day: Type.Union([Type.Number(), Type.Null()]),
      work: Type.Number({ description: 'processor seconds an hour' }),
      own_hour: Type.Union([Type.Number(), Type.Null()]),
      own_day: Type.Union([Type.Number(), Type.Null()]),
      own_work: Type.Union([Type.Number(), Type.Null()]),
    },
    { description: 'computations an hour and a day, and those that were set for this account' },
  ),
  low_credits: nullable(Type.Number(), 'its own threshold of the event credits.low; null: that of the plan'),
  mfa_enabled: Type.Boolean({ description: 'whether the second factor is on' }),
  created_at: orNull('when it was created'),
  verified_at: orNull('when its address was confirmed'),
  expires_at: orNull('end of a guest account'),
  linked_to: nullable(Type.Integer(), 'the account that took this guest over'),
  last_used_at: orNull('when the last of its hours with a computation began; null: it has made none'),
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
  api_key_start: 'qd_user_4fPq',
  limits: { hour: 500, day: null, work: 600, own_hour: null, own_day: null, own_work: null },
  low_credits: null,
  mfa_enabled: false,
  created_at: '2026-01-01T12:00:00.000Z',
  verified_at: '2026-01-01T12:00:00.000Z',
  expires_at: null,
  linked_to: null,
  last_used_at: '2026-01-01T12:05:00.000Z',
}

export const page = {
  limit: Type.Optional(
    Type.Integer({
      description: 'items per page',
      minimum: 1,
      maximum: OPERATOR_PAGE.most,
      default: OPERATOR_PAGE.usual,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: '`next_cursor` of the previous page', pattern: '^[A-Za-z0-9_-]{1,1000}$' }),
  ),
}

/** The format of endpoints whose data are a table. */
export const format = Type.Optional(
  Type.Enum(['json', 'csv'], { description: 'format of the reply', default: 'json' }),
)

export const nextCursor = nullable(Type.String(), 'null on the last page')

/** The cursor after a page; null: the page is the last. @param cursorOf makes the cursor of the last item */
export const cursorAfter = <Item>(
  items: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => number | string,
): string | null => (items.length < limit ? null : String(cursorOf(items.at(-1)!)))

/** The place in the cursor of a list that several columns order; null: the first page. Throws Failure `invalid_input`. */
export function placeAfter<Of extends Place>(cursor: string | undefined, place: Of) {
  const found = cursor === undefined ? null : placeIn(cursor, place)
  if (found === null && cursor !== undefined) throw cursorRefused()
  return found
}

/** The id in the cursor of a list that ids order; null: the first page. Throws Failure `invalid_input`. */
export function idIn(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  if (!/^\d{1,16}$/.test(cursor) || !Number.isSafeInteger(Number(cursor))) throw cursorRefused()
  return Number(cursor)
}
