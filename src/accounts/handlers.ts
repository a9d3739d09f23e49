/** All that answers the account endpoints. */
import { changePasswordHandlers } from './change-password.ts'
import type { AccountContext } from './context.ts'
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

export const accountHandlers = (context: AccountContext): readonly Handler[] => [
  ...guestHandlers(context.store, context.vault),
  ...registerHandlers(context),
  ...verifyHandlers(context),
  ...loginHandlers(context),
  ...regenerateHandlers(context),
  ...profileHandlers(context),
  ...resetPasswordHandlers(context),
  ...changePasswordHandlers(context),
  ...mfaHandlers(context),
  ...usageHandlers(context),
]
