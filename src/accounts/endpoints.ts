/** The list of the endpoints beside the computations; routes validate by these schemas, documents are made from them. */
import type { Endpoint } from './endpoints/endpoint.ts'
import {
  guestCreate,
  userLogin,
  userRegenerateApiKey,
  userRegister,
  userResendOtp,
  userVerifyOtp,
} from './endpoints/keys.ts'
import {
  userChangePassword,
  userForgotPassword,
  userMfaDisable,
  userMfaEnable,
  userMfaSetup,
  userResetPassword,
} from './endpoints/passwords.ts'
import { healthz, readyz, version } from './endpoints/service.ts'
import { userCredits, userProfile, userUsage, userUsageSummary } from './endpoints/standing.ts'

export type { Endpoint } from './endpoints/endpoint.ts'

export const accountEndpoints: readonly Endpoint[] = [
  guestCreate,
  userRegister,
  userVerifyOtp,
  userResendOtp,
  userLogin,
  userRegenerateApiKey,
  userProfile,
  userForgotPassword,
  userResetPassword,
  userChangePassword,
  userMfaSetup,
  userMfaEnable,
  userMfaDisable,
  userCredits,
  userUsage,
  userUsageSummary,
]

export const serviceEndpoints: readonly Endpoint[] = [healthz, readyz, version]

/** Both, in the order of the reference. */
export const endpoints: readonly Endpoint[] = [...accountEndpoints, ...serviceEndpoints]
