/** Reads the texts of a new account by the schemas that registration has for them. */
import Type, { type TSchema } from 'typebox'
import { email, fullName, newPassword, username } from '../../accounts/fields.ts'
import { validator } from '../../body/validate.ts'
import { Failure } from '../../failure.ts'
import { CommandFailure, EXIT } from './failure.ts'

/** @param rule the schema's rule as a command states it: after `It must be` */
function readBy(schema: TSchema, rule: string): (text: string, complaint: string) => string {
  const { validate } = validator<{ text: string }>(Type.Object({ text: schema }))
  return (text, complaint) => {
    try {
      return validate({ text }).text
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      throw new CommandFailure(`${complaint} It must be ${rule}.`, EXIT.usage)
    }
  }
}

export const readEmail = readBy(email, 'one e-mail address, such as ada@example.org')
export const readUsername = readBy(username, '1 to 100 printable characters')
export const readFullName = readBy(fullName, '1 to 200 printable characters')
export const readPassword = readBy(newPassword, '8 to 128 characters')
