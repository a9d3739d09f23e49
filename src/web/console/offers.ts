/** The ways to get a key of this service, which its operator has set, the costs of calls, and the version. */
import { plural } from './numbers.ts'
import signUp from './sign-up.js'

/** `sendsMail`: whether the service mails codes; without a mail server it writes them to files. */
export const { sendsMail, version } = signUp
/** The host of the provider at which owners of accounts sign on; null: there is none. */
export const { provider } = signUp
export const canRegister = signUp.registration
/** Whether a guest key can be created that has credits. */
export const canBeGuest = signUp.guests && signUp.initialCredits.guest > 0

/** The credits that a computation costs, by its path. */
export const creditsFor = (path: string): number => signUp.costs[path] ?? 1

/** The initial credits of an account, in words. */
export const accountCredits = plural(signUp.initialCredits.registered, 'credit')
export const guestCredits = plural(signUp.initialCredits.guest, 'credit')

export const CLOSED = 'Registration is closed on this service; ask its operator for an account.'
