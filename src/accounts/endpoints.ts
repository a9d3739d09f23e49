/** The list of the account endpoints, in the order of the reference. */
import type { Handler } from '../protocol/handler.ts'
import type { AccountContext, AccountEndpoint } from './account-endpoint.ts'
import { recordingFailures } from './attempts.ts'
import { changePassword, forgotPassword, resetPassword } from './change-password.ts'
import { createGuest } from './create-guest.ts'
import { credits } from './credits.ts'
import { deleteAccount } from './delete-account.ts'
import { exportAccount } from './export-account.ts'
import { login } from './login.ts'
import { mfaDisable, mfaEnable, mfaSetup } from './mfa.ts'
import { notices, setNotices } from './notices.ts'
import { profile } from './profile.ts'
import { receipt } from './receipt.ts'
import { regenerateApiKey } from './regenerate-api-key.ts'
import { register } from './register.ts'
import { resendOtp } from './resend-otp.ts'
import { createTeamKey } from './team-keys/create.ts'
import { revokeTeamKey } from './team-keys/end.ts'
import { listTeamKeys } from './team-keys/list.ts'
import { rotateTeamKey } from './team-keys/rotate.ts'
import { updateTeamKey } from './team-keys/update.ts'
import { usage, usageSummary } from './usage.ts'
import { verifyOtp } from './verify-otp.ts'

export const accountEndpoints: readonly AccountEndpoint[] = [
  createGuest,
  register,
  verifyOtp,
  resendOtp,
  login,
  regenerateApiKey,
  profile,
  forgotPassword,
  resetPassword,
  changePassword,
  mfaSetup,
  mfaEnable,
  mfaDisable,
  exportAccount,
  deleteAccount,
  listTeamKeys,
  createTeamKey,
  updateTeamKey,
  rotateTeamKey,
  revokeTeamKey,
  credits,
  notices,
  setNotices,
  usage,
  usageSummary,
  receipt,
]

/** The same endpoints, their handlers bound to the parts that they work with. */
export const accountHandlers = (context: AccountContext): readonly Handler[] =>
  accountEndpoints.map((endpoint) => ({
    endpoint,
    perIp: endpoint.perIp,
    handle: (request) => recordingFailures(context, request, () => endpoint.handle(context, request)),
  }))
