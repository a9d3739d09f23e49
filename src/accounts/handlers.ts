/** All that answers the account endpoints. */
import { changePasswordHandlers } from './change-password.ts'
import type { Desk } from './desk.ts'
import { guestHandlers } from './guests.ts'
import type { Handler } from './handler.ts'
import { loginHandlers } from './login.ts'
import { mfaHandlers } from './mfa.ts'
import { profileHandlers } from './profile.ts'
import { regenerateHandlers } from './regenerate.ts'
import { registerHandlers } from './register.ts'
import { resetPasswordHandlers } from './reset-password.ts'
import { usageHandlers } from './usage.ts'
import { verifyHandlers } from './verify.ts'

export const accountHandlers = (desk: Desk): readonly Handler[] => [
  ...guestHandlers(desk.store, desk.vault),
  ...registerHandlers(desk),
  ...verifyHandlers(desk),
  ...loginHandlers(desk),
  ...regenerateHandlers(desk),
  ...profileHandlers(desk),
  ...resetPasswordHandlers(desk),
  ...changePasswordHandlers(desk),
  ...mfaHandlers(desk),
  ...usageHandlers(desk),
]
