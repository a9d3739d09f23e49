/** The fields that requests and replies about accounts are made of, with their bounds. */
import Type, { type TSchema } from 'typebox'

/** Anything a person can read on a line: no control characters, line ends or marks that turn the text's direction. */
const PRINTABLE = '^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]+$'

/** One address, never a list or a display name: nothing that a mail header would read as more than that. */
const ADDRESS = '^[^\\s\\p{C}@,;:<>()\\[\\]"\\\\]+@[^\\s\\p{C}@,;:<>()\\[\\]"\\\\]+$'

export const username = Type.String({
  description: 'name to address the account holder by; need not be unique; 1 to 100 printable characters',
  minLength: 1,
  maxLength: 100,
  pattern: PRINTABLE,
})

export const fullName = Type.String({
  description: 'full name; the username where absent; 1 to 200 printable characters',
  minLength: 1,
  maxLength: 200,
  pattern: PRINTABLE,
})

export const email = Type.String({
  description: 'e-mail address; compared without regard to case',
  minLength: 3,
  maxLength: 254,
  pattern: ADDRESS,
})

export const newPassword = Type.String({
  description: 'password of 8 to 128 characters, any characters',
  minLength: 8,
  maxLength: 128,
})

/** Wider than a new one may be: a wrong password is wrong, not malformed. */
export const password = Type.String({ description: 'the account’s password', minLength: 1, maxLength: 1024 })

/** Loosely bound on purpose: wrong, used, expired and misspelt codes answer alike. */
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

/** Strings that name the guest's device. */
export const deviceField = (description: string) =>
  Type.String({
    description: `${description}; 1 to 200 printable characters`,
    minLength: 1,
    maxLength: 200,
    pattern: PRINTABLE,
  })

export const text = (description: string) => Type.String({ description })
export const amount = (description: string) => Type.Number({ description })
export const whole = (description: string) => Type.Integer({ description })
export const flag = (description: string) => Type.Boolean({ description })
export const instant = (description: string) =>
  Type.String({ description: `${description} (ISO 8601, UTC)`, format: 'date-time' })
export const listOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { description })

export const apiKey = text('the API key, in full; send it as X-API-Key')
export const notice = text('what happened and what comes next')
export const accountType = (description = 'account type, which sets the hourly limit') =>
  Type.Enum(['free', 'basic', 'standard', 'pro'], { description })
export const keyStatus = Type.Enum(['active', 'suspended', 'revoked'], {
  description: 'state of the API key',
})
