/** Authenticates a request: a program by its token, a person by the session in the cookie of the page. */

import { cookieOf, setCookie } from '../../accounts/sign-on/cookies.ts'
import {
  notFromThisPage,
  sessionInvalid,
  tokenInvalid,
  tooManyWrongTokens,
} from '../../base/errors/operator.ts'
import { retryAfterSeconds } from '../../base/failure.ts'
import { WRONG_TOKENS_PER_CLIENT } from '../../base/limits/operation.ts'
import { countAttempt } from '../../ledger/store/attempts.ts'
import type { Runner } from '../../ledger/store/store.ts'
import type { Incoming } from '../../protocol/incoming.ts'
import type { TeamKeyHash } from '../../secrets/keys.ts'
import { type OperatorToken, usedSession, usedToken } from '../tokens.ts'

interface Tokens {
  readonly store: Runner
  readonly hashToken: TeamKeyHash
}

const SESSION_COOKIE = 'quantd_operator'

const TOKEN = /^Bearer +(qd_op_[0-9A-Za-z]{43})$/i
const SESSION = /^qd_op_[0-9A-Za-z]{43}$/

/** Throws Failure `token_invalid` or `too_many_attempts`. */
export async function authenticated(tokens: Tokens, incoming: Incoming): Promise<OperatorToken> {
  const { authorization } = incoming.headers
  if (authorization === undefined && sessionIn(incoming) !== null) return await sessionOf(tokens, incoming)
  return await tokenOf(tokens, incoming, TOKEN.exec(authorization ?? '')?.[1])
}

/** The token of a request. Only wrong tokens count against the limit of a client, so that nobody can lock an operator out. */
export async function tokenOf(
  { hashToken, store }: Tokens,
  { subject }: Incoming,
  given: string | undefined,
): Promise<OperatorToken> {
  const token = given === undefined ? null : await store.run(usedToken, hashToken(given))
  if (token !== null) return token
  await countWrong(store, subject)
  throw tokenInvalid()
}

/** The session of the cookie. Throws Failure `token_invalid`. */
export async function sessionOf({ hashToken, store }: Tokens, incoming: Incoming): Promise<OperatorToken> {
  refuseOtherPages(incoming)
  const given = sessionIn(incoming)
  if (given === null) throw sessionInvalid()
  const session = await store.run(usedSession, hashToken(given))
  if (session !== null) return session
  await countWrong(store, incoming.subject)
  throw sessionInvalid()
}

/** The secret of a session, which the page sends in a cookie; null: there is none. */
function sessionIn({ headers }: Incoming): string | null {
  const secret = cookieOf(headers, SESSION_COOKIE)
  return secret !== null && SESSION.test(secret) ? secret : null
}

/**
 * Refuses requests of other origins. Cookies hold for all ports of a host, and SameSite does not separate them, so another service
 * of the host could send them. Browsers send the origin in a header that no page can set.
 */
export function refuseOtherPages({ headers }: Incoming): void {
  if (headers['sec-fetch-site'] !== 'same-origin') throw notFromThisPage()
}

export const sessionCookie = ({ headers }: Incoming, value: string, lifeMs: number): string =>
  setCookie(headers, { name: SESSION_COOKIE, value, path: '/operator', sameSite: 'Strict', lifeMs })

async function countWrong(store: Runner, subject: string): Promise<void> {
  const counted = await store.run(countAttempt, [
    { scope: 'operator token', subject, ...WRONG_TOKENS_PER_CLIENT },
  ])
  if (!counted.ok) throw tooManyWrongTokens(retryAfterSeconds(counted.retryAt, counted.now))
}
