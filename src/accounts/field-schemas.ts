/** Schemas of the fields in requests and replies of the account endpoints. */
import type { TSchema } from 'typebox'
import {
  DEVICE_CHARACTERS,
  EMAIL_ADDRESS,
  EMAIL_CHARACTERS,
  FULL_NAME_CHARACTERS,
  PASSWORD_CHARACTERS,
  USERNAME_CHARACTERS,
} from '../base/limits/callers.ts'
import { Type } from '../base/type.ts'

/** Emoji, joined ones included: the only use of joiners and variation selectors that is visible. */
const EMOJI_PART = '\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\uFE0F]?'
const EMOJI = `${EMOJI_PART}(?:\\u200D${EMOJI_PART})*`
/** No control, format, private or invisible characters, no line separators, no marks that change the text direction. */
const VISIBLE =
  '[^\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]'
/** One line of visible text. The alternatives exclude each other, so that matching takes linear time. */
export const PRINTABLE = `^(?:${VISIBLE}|${EMOJI})+$`

export const username = Type.String({
  description: `name used in mails to the account; need not be unique; 1 to ${USERNAME_CHARACTERS} printable characters`,
  minLength: 1,
  maxLength: USERNAME_CHARACTERS,
  pattern: PRINTABLE,
})

export const fullName = Type.String({
  description: `full name; defaults to the username; 1 to ${FULL_NAME_CHARACTERS} printable characters`,
  minLength: 1,
  maxLength: FULL_NAME_CHARACTERS,
  pattern: PRINTABLE,
})

export const email = Type.String({
  description: 'e-mail address; case does not matter',
  minLength: EMAIL_CHARACTERS.least,
  maxLength: EMAIL_CHARACTERS.most,
  pattern: EMAIL_ADDRESS,
})

export const newPassword = Type.String({
  description: `password of ${PASSWORD_CHARACTERS.least} to ${PASSWORD_CHARACTERS.most} characters, any characters`,
  minLength: PASSWORD_CHARACTERS.least,
  maxLength: PASSWORD_CHARACTERS.most,
})

/** Accepts lengths that no password has: the reply is then `invalid_credentials`, not `invalid_input`. */
export const password = Type.String({ description: 'the account’s password', minLength: 1, maxLength: 1024 })

/** Accepts any short text: a token that is not the registration's is as good as none. */
export const registrationToken = Type.String({
  description: 'the `registration` from the reply of /user/register; names that registration',
  maxLength: 128,
})

/** Accepts any short text, so that misspelt codes get the same reply as wrong, used and expired ones. */
export const otp = Type.String({
  description: 'the one-time code from the mail',
  minLength: 1,
  maxLength: 64,
})

export const mfaCode = Type.String({
  description: 'code of 6 digits from the authenticator app, or a recovery code',
  minLength: 1,
  maxLength: 64,
})

/** A text that identifies the guest's device. */
export const deviceField = (description: string) =>
  Type.String({
    description: `${description}; 1 to ${DEVICE_CHARACTERS} printable characters`,
    minLength: 1,
    maxLength: DEVICE_CHARACTERS,
    pattern: PRINTABLE,
  })

export const text = (description: string) => Type.String({ description })
export const amount = (description: string) => Type.Number({ description })
export const whole = (description: string) => Type.Integer({ description })
/** The number of a row, as a request names it; a database takes no larger one. */
export const rowNumber = (description: string) =>
  Type.Integer({ description, minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const flag = (description: string) => Type.Boolean({ description })
export const instant = (description: string) =>
  Type.String({ description: `${description} (ISO 8601, UTC)`, format: 'date-time' })
/**
 * A time of a request. Date.parse knows neither leap seconds nor the names of zones, which the format allows. A time behind the
 * year 9999 in UTC would be shown in a form that is no time for clients.
 */
export const givenInstant = (description: string, title?: string) =>
  Type.String({
    ...(title !== undefined && { title }),
    description: `${description} (ISO 8601)`,
    format: 'date-time',
    pattern: '^(?!9999-12-31.*-[^T]*$).{17}[0-5][^\\[]*$',
  })
export const nullable = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })
export const nextCursor = nullable(
  Type.String(),
  'send it as `cursor` to get the next page; null on the last page',
)
export const listOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { description })

export const apiKey = text('the API key, in full; send it as X-API-Key')
export const notice = text('the result, and the next step')
export const accountType = Type.Enum(['free', 'basic', 'standard', 'pro'], {
  description: 'account type; it determines the hourly limit',
})
export const keyStatus = Type.Enum(['active', 'suspended', 'revoked'], {
  description: 'state of the API key',
})

/** A registered account as its owner sees it. */
export const shownOwner = {
  user_id: whole('number of the account'),
  email: text('the address'),
  full_name: text('full name'),
  credits: amount('current balance'),
  account_type: accountType,
}

export const EXAMPLE_KEY = 'qd_user_4fPqZ0s8Vw2LkTtYb6NhXc9RjAe1GmUo3DiQv7SxKzB'
