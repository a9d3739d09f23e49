/** The ways to a key on this service, as its operator has set them, and its version. */
import { plural } from './numbers.js'
import signUp from './sign-up.js'

/** Without a mail server, codes stay with the service. */
export const { sendsMail, version } = signUp
/** The host where owners of accounts sign on; null: nowhere. */
export const { provider } = signUp
export const canRegister = signUp.registration
/** A guest key without credits computes nothing. */
export const canBeGuest = signUp.guests && signUp.initialCredits.guest > 0

/** The credits that a computation costs, by its path. */
export const creditsFor = (path) => signUp.costs[path] ?? 1

/** The credits at the start, in words. */
export const accountCredits = plural(signUp.initialCredits.registered, 'credit')
export const guestCredits = plural(signUp.initialCredits.guest, 'credit')

export const CLOSED = 'Registration is closed on this service; ask its operator for an account.'
